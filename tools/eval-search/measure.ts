// Runs every query in every mode and scores the results.
import type { Context } from '../../src/context.ts';
import { SEARCH_MODES, type SearchMode } from '../../src/contract/search.ts';
import { type SearchInput, searchRegistry } from '../../src/search/search.ts';
import type { JudgedQuery, QuerySort } from './judged-set.ts';
import { mean, ndcg, recall } from './metrics.ts';

export interface Figures {
  queries: number;
  ndcg10: number;
  recall10: number;
  recall20: number;
  // The share of queries whose first result is right.
  first: number;
  // The share of right results among the first five.
  ofFive: number;
}

export type Measured = Map<SearchMode, Map<QuerySort | 'all', Figures>>;

const LIMIT = 20;
const ATTEMPTS = 5;
// A judged release may be a pre-release, or coverage of another.
const EVERYTHING = { includePrereleases: true, includeCoverage: true };

interface Miss {
  mode: SearchMode;
  query: string;
  sort: QuerySort;
}

export async function measure(
  ctx: Context,
  queries: readonly JudgedQuery[],
  {
    keys,
    modes = SEARCH_MODES,
    onMiss,
  }: {
    keys: ReadonlyMap<string, string>;
    modes?: readonly SearchMode[];
    onMiss?: (miss: Miss) => void;
  },
): Promise<Measured> {
  const measured: Measured = new Map();
  for (const mode of modes) {
    const scores: { sort: QuerySort; score: Omit<Figures, 'queries'> }[] = [];
    for (const { query, sort, grades } of queries) {
      const input = { q: query, mode, limit: LIMIT, offset: 0, releasesOnly: true, filters: EVERYTHING };
      const releases = await hitsOf(ctx, input);
      const ranked = releases.map(({ id }) => keys.get(id) ?? id);
      const score = {
        ndcg10: ndcg(ranked, grades, 10),
        recall10: recall(ranked, grades, 10),
        recall20: recall(ranked, grades, 20),
        first: grades.has(ranked[0] ?? '') ? 1 : 0,
        ofFive: recall(ranked, grades, 5),
      };
      if (score.recall10 < 1 || (sort === 'identifier' && score.first === 0)) onMiss?.({ mode, query, sort });
      scores.push({ sort, score });
    }
    measured.set(mode, byClass(scores));
  }
  return measured;
}

// On a busy machine the embedding of a query may time out, which says nothing about the ranking.
async function hitsOf(ctx: Context, input: SearchInput) {
  for (let attempt = 1; ; attempt += 1) {
    const { releases, degradedReason } = await searchRegistry(ctx, input);
    if (degradedReason === undefined) return releases;
    if (attempt === ATTEMPTS) throw new Error(`search is degraded: ${degradedReason}`);
  }
}

function byClass(scores: readonly { sort: QuerySort; score: Omit<Figures, 'queries'> }[]) {
  const figures = new Map<QuerySort | 'all', Figures>();
  for (const [sort, group] of [...Map.groupBy(scores, ({ sort }) => sort), ['all', scores] as const]) {
    const of = (name: keyof Omit<Figures, 'queries'>) => mean(group.map(({ score }) => score[name]));
    figures.set(sort, {
      queries: group.length,
      ndcg10: of('ndcg10'),
      recall10: of('recall10'),
      recall20: of('recall20'),
      first: of('first'),
      ofFive: of('ofFive'),
    });
  }
  return figures;
}
