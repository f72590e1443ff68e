// The second pass, for when the words together find next to nothing: documents that match at least half of them.
import type { Context } from '../../context.ts';
import type { LexicalHit } from '../../domain/search-legs.ts';
import { groupMatcher } from '../../domain/search-text/score.ts';
import type { Corpus, FoundDocument } from './corpus.ts';
import { isListed, type ScopeOfSearch } from './filter-terms.ts';
import { gather } from './gather.ts';
import { type AskedGroup, loosened } from './groups.ts';
import { bestFirst, scoring } from './rank.ts';

const NEWEST_OF_GROUP = 32;
const MOST = 128;

export async function looseHits(
  ctx: Context,
  { corpus, scope }: { corpus: Corpus; scope: ScopeOfSearch },
  groups: readonly AskedGroup[],
  found: readonly LexicalHit[],
): Promise<LexicalHit[]> {
  const loose: AskedGroup[] = [];
  for (const group of groups) loose.push(await loosened(ctx, corpus.index, group));
  // One word asked for in the same way finds the same.
  if (loose.length === 1 && loose[0] === groups[0]) return [];
  loose.sort((a, b) => a.docs - b.docs);
  const known = new Set(found.map(({ docKey }) => docKey));
  const matched = new Map<number, Set<AskedGroup>>();
  for (const group of loose) {
    const most = Math.min(NEWEST_OF_GROUP, MOST - matched.size);
    if (most <= 0) break;
    const { keys } = await gather(ctx, { corpus, groups: [group], scope, enough: most, most, tiers: false });
    for (const key of keys) if (!known.has(key)) matched.set(key, (matched.get(key) ?? new Set()).add(group));
  }
  const documents = await corpus.read(ctx, [...matched.keys()], corpus.readable > 0);
  const score = await scoring(ctx, corpus);
  const ranked = documents
    .filter((document) => isListed(document, scope))
    .flatMap((document) => {
      const own = groupsOf(document, loose, matched.get(document.key));
      return own.length * 2 < groups.length ? [] : [score(document, own)];
    })
    .sort(bestFirst);
  return below(found, ranked);
}

function groupsOf(
  document: FoundDocument,
  groups: readonly AskedGroup[],
  known?: ReadonlySet<AskedGroup>,
): AskedGroup[] {
  return groups.filter((group) => known?.has(group) || groupMatcher(group)(document.text));
}

// Scores tell the order within a pass; these stay below all of the first.
function below(found: readonly LexicalHit[], ranked: readonly { key: number; score: number }[]): LexicalHit[] {
  const lowest = Math.min(...found.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const highest = ranked[0]?.score ?? 0;
  const factor = highest > 0 && Number.isFinite(lowest) ? Math.min(1, (lowest * 0.5) / highest) : 1;
  return ranked.map(({ key, score }) => ({ docKey: key, score: score * factor, pass: 'some' }));
}
