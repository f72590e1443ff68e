// What to rank, and how common a term is. The index gives hits in no order, so the newest are found by walking down the
// keys, over a bounded number of rows, unless all of them are few enough to take.
import { sql } from 'kysely';
import type { QueryGroup } from '../../domain/search-text/query-terms.ts';
import type {
  CandidateQuery,
  Candidates,
  CountQuery,
  DocumentCount,
  FullTextColumn,
  FullTextIndex,
} from '../dialect.ts';
import type { Queries } from '../schema.ts';
import { INDEX_HITS, indexHits, TABLES } from './full-text.ts';
import { textQuery } from './text-query.ts';

// A walk of this length shows how common something is.
const SAMPLE = 512;
// Up to so many documents of its rarest part the index answers a query within milliseconds.
const RARE = 20_000;
// Words in a row are told apart from words apart by looking at the documents themselves.
const RARE_IN_PHRASE = 4_000;
const COUNTED = 4_000;
// So many hits in a sample tell the share of all documents well enough.
const TELLING = 32;
// And so many still tell more than that there are more than could be counted.
const ENOUGH = 4;
// What has the words in its head may be a little older than what has not.
const WIDE = 2_048;
const TEXTS: readonly FullTextColumn[] = ['title', 'version', 'summary', 'content'];

interface Tiers {
  best: number[];
  good: number[];
  others: number[];
  // Rows looked at, and the lowest key of them.
  seen: number;
  last: number | null;
}

interface TextQueries {
  query: string;
  head: string;
  near: string;
}

export async function findCandidates(db: Queries, asked: CandidateQuery): Promise<Candidates> {
  if (asked.groups.length === 0 || asked.required.some((terms) => terms.length === 0)) {
    return { keys: [], complete: true, lowestKey: asked.minKey };
  }
  const { tiers } = asked;
  const query = textQuery({ ...asked, columns: TEXTS });
  const texts: TextQueries = {
    query,
    head: tiers === null ? query : textQuery({ ...asked, columns: tiers.head }),
    near: tiers === null ? query : nearText(asked, tiers),
  };
  if (asked.rarest <= (hasPhrase(asked.groups) ? RARE_IN_PHRASE : RARE)) {
    const hits = await indexHits(db, texts.query, asked);
    const newest = newestFirst(hits).slice(0, asked.most);
    if (hits.length <= asked.most) return { keys: newest, complete: true, lowestKey: asked.minKey };
    if (hits.length <= INDEX_HITS) {
      if (tiers === null) return { keys: newest, complete: false, lowestKey: newest.at(-1) ?? asked.maxKey };
      return chosen(await tiersOf(db, texts, asked.index, hits), asked, false);
    }
  }
  const first = await walk(db, texts, asked, SAMPLE);
  const found = hitsOf(first);
  if (first.seen < SAMPLE || (tiers === null && found > asked.most)) return chosen(first, asked, first.seen < SAMPLE);
  const wanted = found === 0 ? asked.rows : Math.ceil((3 * asked.most * SAMPLE) / found);
  const rows = Math.max(SAMPLE, Math.min(asked.rows, Math.max(wanted, tiers === null ? 0 : WIDE)));
  const second = await walk(db, texts, asked, rows);
  return chosen(second, asked, second.seen < rows);
}

export async function countDocuments(db: Queries, { index, group, minKey }: CountQuery): Promise<DocumentCount> {
  const query = textQuery({ groups: [group], columns: TEXTS, required: [], excluded: [] });
  const range = { index, minKey, maxKey: Number.MAX_SAFE_INTEGER };
  const sample = await walk(db, { query, head: query, near: query }, range, SAMPLE);
  const found = hitsOf(sample);
  if (sample.seen < SAMPLE) return { docs: found, lowestKey: null };
  if (found >= TELLING || minKey > 0) return { docs: found, lowestKey: sample.last };
  const hits = await indexHits(db, query, range, COUNTED + 1);
  const estimated = hits.length > COUNTED && found >= ENOUGH;
  return estimated ? { docs: found, lowestKey: sample.last } : { docs: hits.length, lowestKey: null };
}

function hasPhrase(groups: readonly QueryGroup[]): boolean {
  return groups.some((group) => group.some((term) => term.kind === 'phrase' && term.words.length > 1));
}

// Where no columns count as near, what stands in the head does, which has a better place already.
function nearText(asked: CandidateQuery, { head, near }: NonNullable<CandidateQuery['tiers']>): string {
  if (near.length === 0) return textQuery({ ...asked, columns: head });
  return textQuery({ ...asked, columns: TEXTS, oneIn: near });
}

function chosen(tiers: Tiers, { tiers: preferring, most, minKey, maxKey }: CandidateQuery, atEnd: boolean): Candidates {
  const { best, good, others, last } = tiers;
  const half = Math.ceil(most / 2);
  const found = newestFirst([...best, ...good, ...others]);
  const preferred = [...newestFirst(best).slice(0, half), ...newestFirst([...best, ...good]).slice(0, half)];
  const keys = [...new Set([...(preferring ? preferred : []), ...found])].slice(0, most);
  if (found.length > most) return { keys, complete: false, lowestKey: found[most - 1] ?? maxKey };
  return { keys, complete: atEnd, lowestKey: atEnd ? minKey : (last ?? minKey) };
}

async function walk(
  db: Queries,
  { query, head, near }: TextQueries,
  { index, minKey, maxKey }: Pick<CandidateQuery, 'index' | 'minKey' | 'maxKey'>,
  rows: number,
): Promise<Tiers> {
  const { rows: answers } = await sql<TierRow>`
    SELECT best, good, others, seen, last FROM ${sql.table(`${TABLES[index]}_tiers`)}(
      ${query}::tsquery, ${head}::tsquery, ${near}::tsquery, ${minKey}, ${maxKey}, ${rows})`.execute(db);
  return tiersFrom(answers[0]);
}

// The tiers of hits that the index gave.
async function tiersOf(
  db: Queries,
  { head, near }: TextQueries,
  index: FullTextIndex,
  keys: readonly number[],
): Promise<Tiers> {
  const { rows: answers } = await sql<TierRow>`
    SELECT array_agg(doc_key) FILTER (WHERE tier = 1) AS best, array_agg(doc_key) FILTER (WHERE tier = 2) AS good,
      array_agg(doc_key) FILTER (WHERE tier = 3) AS others, count(*) AS seen, min(doc_key) AS last
    FROM (SELECT doc_key,
        CASE WHEN words @@ ${head}::tsquery THEN 1 WHEN words @@ ${near}::tsquery THEN 2 ELSE 3 END AS tier
      FROM ${sql.table(TABLES[index])} WHERE doc_key = ANY(${[...keys]}::bigint[])) AS hits`.execute(db);
  return tiersFrom(answers[0]);
}

interface TierRow {
  best: string[] | null;
  good: string[] | null;
  others: string[] | null;
  seen: number;
  last: number | null;
}

function tiersFrom(row: TierRow | undefined): Tiers {
  const keys = (list: readonly string[] | null | undefined) => (list ?? []).map(Number);
  return {
    best: keys(row?.best),
    good: keys(row?.good),
    others: keys(row?.others),
    seen: row?.seen ?? 0,
    last: row?.last ?? null,
  };
}

function hitsOf({ best, good, others }: Tiers): number {
  return best.length + good.length + others.length;
}

function newestFirst(keys: readonly number[]): number[] {
  return keys.toSorted((a, b) => b - a);
}
