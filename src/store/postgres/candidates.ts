// Selects the candidates for ranking, and estimates how common a term is. The index returns hits in no order, so the
// newest are found by walking down the keys, over a bounded number of rows, unless all hits are few enough to read.
import { type RawBuilder, sql } from 'kysely';
import type { QueryGroup } from '../../domain/search-text/query-terms.ts';
import type { CandidateQuery, CountQuery, DocumentCount, FullTextCandidates, FullTextColumn } from '../dialect.ts';
import { ONE_PLAN } from '../query-builder.ts';
import type { Queries } from '../schema/index.ts';
import { INDEX_HITS, TABLES } from './full-text.ts';
import { anyGroup, textQuery } from './text-query.ts';

// A walk of this length shows how common a term is.
const SAMPLE = 512;
// For up to this many documents with the rarest term the index answers a query within milliseconds.
const RARE = 20_000;
// Only the documents themselves distinguish a phrase from its words.
const RARE_IN_PHRASE = 4_000;
const COUNTED = 2_000;
// This many hits in a sample estimate the share of all documents well enough.
const TELLING = 32;
// Where so many documents have the rarest term, the newest are likely to be in the sample.
const FREQUENT = 1_500;
// This many still show that there are more than could be counted.
const ENOUGH = 4;
// A sample may mislead, so this factor more rows than expected are read.
const SURE = 1.5;
// A document with the words in its head may be slightly older than one without.
const WIDE = 2_048;
const TEXTS: readonly FullTextColumn[] = ['title', 'version', 'summary', 'content'];

interface Tiers {
  best: number[];
  good: number[];
  others: number[];
  // The number of rows read, and the lowest of their keys where they were read one by one.
  seen: number;
  last: number | null;
}

// A document that matches the query is in the tier of the head or of `near` when it matches that too.
interface TextQueries {
  query: string;
  tiers: { head: string; near: string } | null;
}

export async function findCandidates(db: Queries, requested: CandidateQuery): Promise<FullTextCandidates> {
  if (requested.groups.length === 0 || requested.required.some((terms) => terms.length === 0)) {
    return { keys: [], complete: true, lowestKey: requested.minKey };
  }
  const { tiers } = requested;
  const query = textQuery({ ...requested, columns: TEXTS });
  const texts: TextQueries = { query, tiers: tiers && tierTexts(requested.groups, tiers) };
  if (requested.rarest <= rareAmong(requested.groups)) {
    const hits = await newestHits(db, texts, requested);
    if (hits.seen <= INDEX_HITS) return chosen(hits, requested, true);
  }
  const first = await walk(db, texts, requested, SAMPLE);
  const found = hitsOf(first);
  if (first.seen < SAMPLE || (tiers === null && found > requested.most))
    return chosen(first, requested, first.seen < SAMPLE);
  const wanted = found === 0 ? requested.rows : Math.ceil((SURE * requested.most * SAMPLE) / found);
  const rows = Math.max(SAMPLE, Math.min(requested.rows, Math.max(wanted, tiers === null ? 0 : WIDE)));
  const second = await walk(db, texts, requested, rows);
  return chosen(second, requested, second.seen < rows);
}

export async function countDocuments(db: Queries, { index, group, minKey, docs }: CountQuery): Promise<DocumentCount> {
  const query = textQuery({ groups: [group], columns: TEXTS, required: [], excluded: [] });
  const range = { index, minKey, maxKey: Number.MAX_SAFE_INTEGER };
  const { found, seen, last, hits } = await sampleAndCount(db, query, { ...range, docs });
  if (seen < SAMPLE) return { docs: found, lowestKey: null };
  const estimated = hits === null || (hits > COUNTED && found >= ENOUGH);
  return estimated ? { docs: found, lowestKey: last } : { docs: hits, lowestKey: null };
}

interface SampleCount {
  // The number of hits in the sample, the number of its rows and the lowest of their keys.
  found: number;
  seen: number;
  last: number | null;
  // Counted in the index, unless the sample says enough.
  hits: number | null;
}

// The server decides whether to count, so that it takes one round trip. The index would return all hits before the first is
// counted, so more than could be counted are estimated.
async function sampleAndCount(
  db: Queries,
  query: string,
  { index, minKey, maxKey, docs }: Pick<CountQuery, 'index' | 'minKey' | 'docs'> & { maxKey: number },
): Promise<SampleCount> {
  const table = TABLES[index];
  const { rows } = await sql<SampleCount>`
    SELECT found, seen, last, CASE WHEN ${minKey}::bigint > 0 OR seen < ${sql.lit(SAMPLE)} OR found >= ${sql.lit(TELLING)}
        OR (found >= ${sql.lit(ENOUGH)} AND found * ${docs}::bigint > ${sql.lit(COUNTED * SAMPLE)}) THEN NULL
      ELSE (SELECT count(*) FROM ${sql.table(`${table}_hits`)}(
        ${query}::tsquery, ${minKey}, ${maxKey}, ${sql.lit(COUNTED + 1)})) END AS hits
    FROM (SELECT COALESCE(cardinality(best), 0) AS found, seen, last FROM ${sql.table(`${table}_tiers`)}(
      ${query}::tsquery, ${query}::tsquery, ${query}::tsquery, ${minKey}, ${maxKey}, ${sql.lit(SAMPLE)})) AS sample
    ${ONE_PLAN}`.execute(db);
  return rows[0] ?? { found: 0, seen: 0, last: null, hits: null };
}

function rareAmong(groups: readonly QueryGroup[]): number {
  if (groups.some((group) => group.some((term) => term.kind === 'phrase' && term.words.length > 1)))
    return RARE_IN_PHRASE;
  // A single group has as many hits as documents.
  return groups.length === 1 ? INDEX_HITS : RARE;
}

// Without columns for `near` the tier would be the same as the head, which ranks higher already.
function tierTexts(
  groups: readonly QueryGroup[],
  { head, near }: NonNullable<CandidateQuery['tiers']>,
): NonNullable<TextQueries['tiers']> {
  const every = { groups, required: [], excluded: [] };
  const texts = { head: textQuery({ ...every, columns: head }) };
  return { ...texts, near: near.length === 0 ? texts.head : anyGroup(groups, near) };
}

function chosen(
  tiers: Tiers,
  { tiers: preferring, most, minKey, maxKey }: CandidateQuery,
  atEnd: boolean,
): FullTextCandidates {
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
  { query, tiers }: TextQueries,
  { index, minKey, maxKey }: Pick<CandidateQuery, 'index' | 'minKey' | 'maxKey'>,
  rows: number,
): Promise<Tiers> {
  const { head, near } = tiers ?? { head: query, near: query };
  const { rows: answers } = await sql<TierRow>`
    SELECT best, good, others, seen, last FROM ${sql.table(`${TABLES[index]}_tiers`)}(
      ${query}::tsquery, ${head}::tsquery, ${near}::tsquery, ${minKey}, ${maxKey}, ${rows}) ${ONE_PLAN}`.execute(db);
  return tiersFrom(answers[0]);
}

// One more than is ranked shows that there are more. The server decides whether the sample holds as many, so that it takes
// one round trip.
async function newestHits(
  db: Queries,
  { query, tiers }: TextQueries,
  { index, minKey, maxKey, most, rarest }: CandidateQuery,
): Promise<Tiers> {
  const table = TABLES[index];
  const hits = (limit: RawBuilder<unknown>) => sql`${sql.table(`${table}_newest_hits`)}(${query}::tsquery,
    ${tiers?.head ?? null}::tsquery, ${tiers?.near ?? null}::tsquery, ${minKey}, ${maxKey}, ${limit}, ${most + 1}::integer)`;
  const every = sql.lit(INDEX_HITS + 1);
  const isSampled = tiers === null && rarest >= FREQUENT;
  const statement = isSampled
    ? sql<TierRow>`SELECT CASE read WHEN 0 THEN sample.best ELSE hits.best END AS best, hits.good, hits.others,
        CASE read WHEN 0 THEN sample.seen ELSE hits.seen END AS seen
      FROM (SELECT best, seen,
          CASE WHEN seen = ${sql.lit(SAMPLE)} AND COALESCE(cardinality(best), 0) <= ${most} THEN ${every} ELSE 0 END AS read
        FROM ${sql.table(`${table}_tiers`)}(${query}::tsquery, ${query}::tsquery, ${query}::tsquery,
          ${minKey}, ${maxKey}, ${sql.lit(SAMPLE)})) AS sample
      CROSS JOIN LATERAL ${hits(sql.ref('sample.read'))} AS hits ${ONE_PLAN}`
    : sql<TierRow>`SELECT best, good, others, seen FROM ${hits(every)} ${ONE_PLAN}`;
  const { rows } = await statement.execute(db);
  return tiersFrom(rows[0]);
}

interface TierRow {
  best: string[] | null;
  good: string[] | null;
  others: string[] | null;
  seen: number;
  last?: number | null;
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
