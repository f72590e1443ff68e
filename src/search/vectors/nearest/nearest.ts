// Finds the nearest vectors that pass a filter. When few pass, all of them are compared exactly. When many pass, the index is
// asked for more neighbours than wanted; if too few of those pass, the newest passing vectors are compared too, so that no
// filter makes a page shorter.

import { type RawBuilder, sql } from 'kysely';
import type { VectorHit } from '../../../domain/retrieval/retrievers.ts';
import type { VectorKind } from '../../../ports.ts';
import type { DatabaseReader } from '../../../store/open-reader.ts';
import { allOf } from '../../filters/entry.ts';
import type { Neighbour } from '../index-thread/hnsw.ts';
import {
  isNarrow,
  listingsOf,
  newestKeys,
  OWNERS,
  orgConditions,
  productConditions,
  releaseConditions,
  sourceConditions,
  type WantedVectors,
} from './newest.ts';
import type { VectorRows } from './vector-rows.ts';

// Checks which keys pass the filter by reading their rows, so that an outdated index never shows a hidden document.

interface PassedKey {
  key: number;
  ref: string;
}

export async function passing(
  reader: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
): Promise<Map<number, string>> {
  if (keys.length === 0) return new Map();
  const { rows } = await QUESTIONS[wanted.kind](reader, wanted, keys).execute(reader.db);
  return new Map(rows.map(({ key, ref }) => [key, String(ref)]));
}

// Rows are selected by their keys alone and filtered afterwards, because a planner that sees both conditions may scan the
// index of a filter.
const RELEASE_COLUMNS = sql.raw(
  'seq, id, listing, feed_at, published_at, prerelease, org_id, product_id, source_id, effective_category, type, ' +
    'breaking, importance',
);

type PassingStatement = (
  reader: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
) => RawBuilder<PassedKey>;

const QUESTIONS: Record<VectorKind, PassingStatement> = {
  release: ({ dialect }, wanted, keys) => sql<PassedKey>`
    WITH picked AS MATERIALIZED (SELECT ${RELEASE_COLUMNS} FROM releases WHERE ${dialect.amongKeys('seq', keys)})
    SELECT r.seq AS key, r.id AS ref FROM picked r
    WHERE r.listing IN (${sql.join(listingsOf(wanted.filter))}) AND ${allOf(releaseConditions(wanted))}`,
  chunk: ({ dialect }, wanted, keys) => sql<PassedKey>`
    WITH picked AS MATERIALIZED (SELECT seq, source_id FROM changelog_chunks WHERE ${dialect.amongKeys('seq', keys)})
    SELECT c.seq AS key, c.seq AS ref FROM picked c
    JOIN sources s ON s.id = c.source_id ${OWNERS}
    WHERE ${allOf(sourceConditions(wanted))}`,
  entity: entityQuestion,
};

function entityQuestion(
  { dialect }: DatabaseReader,
  wanted: WantedVectors,
  keys: readonly number[],
): RawBuilder<PassedKey> {
  const { entityType } = wanted;
  const known = sql`v.kind = 'entity' AND v.deleted = 0 AND ${dialect.amongKeys('v.key', keys)}`;
  const parts = {
    source: sql`SELECT v.key, v.ref FROM vectors v JOIN sources s ON s.id = v.ref ${OWNERS}
      WHERE ${known} AND ${allOf(sourceConditions(wanted))}`,
    product: sql`SELECT v.key, v.ref FROM vectors v JOIN products p ON p.id = v.ref JOIN orgs o ON o.id = p.org_id
      WHERE ${known} AND ${allOf(productConditions(wanted))}`,
    org: sql`SELECT v.key, v.ref FROM vectors v JOIN orgs o ON o.id = v.ref
      WHERE ${known} AND ${allOf(orgConditions(wanted))}`,
  };
  const requested = entityType === undefined ? Object.values(parts) : [parts[entityType]];
  return sql<PassedKey>`${sql.join(requested, sql` UNION `)}`;
}

export interface Bounds {
  // Up to this many vectors are read and compared exactly.
  exact: number;
  // How many neighbours the index is asked for.
  least: number;
  most: number;
  // How many rows are looked at for the newest that pass: first a little, then, for what is rare and old, much.
  looked: readonly number[];
}

const BOUNDS: Bounds = { exact: 4_000, least: 64, most: 2_048, looked: [20_000, 200_000] };
// An index is asked for this many times the neighbours that are wanted, because some do not pass.
export const OVERSAMPLING = 1.5;
// The factor by which more neighbours are requested than should be needed.
const SURE = 1.1;
const PASS_PAGE = 64;

export interface NearestQuery extends WantedVectors {
  vector: Float32Array;
  limit: number;
}

// What is asked for neighbours: the graph of this process, or a table of the database.
export interface NeighbourIndex {
  readonly rows: VectorRows;
  // The number of vectors.
  readonly size: number;
  // The nearest that pass the filter, sorted; fewer than wanted when many of the neighbours do not pass.
  passing(question: NearestQuery, bounds: Bounds): Promise<VectorHit[]>;
  // The exact cosines of the vectors of these keys, in any order.
  compare(vector: Float32Array, keys: readonly number[]): Promise<Neighbour[]>;
}

export async function nearest(
  index: NeighbourIndex,
  question: NearestQuery,
  { wideFilters, bounds = BOUNDS }: { wideFilters: WideFilters; bounds?: Bounds },
): Promise<VectorHit[]> {
  const { limit } = question;
  if (limit <= 0 || index.size === 0) return [];
  const few = await fewKeys(index, question, wideFilters, bounds);
  if (few) return (await scanned(index, question, few)).slice(0, limit);

  const found = await index.passing(question, bounds);
  if (found.length >= limit) return found.slice(0, limit);
  let merged = found;
  for (const rows of bounds.looked) {
    const { keys, complete } = await newestKeys(index.rows.reader, question, { rows, most: bounds.exact });
    merged = union(found, await scanned(index, question, keys));
    if (merged.length >= limit || complete) break;
  }
  return merged.slice(0, limit);
}

// All passing keys when they are few, else null. Filters that many pass are remembered.
async function fewKeys(
  index: NeighbourIndex,
  question: NearestQuery,
  wideFilters: WideFilters,
  { exact }: Bounds,
): Promise<number[] | null> {
  if (index.size > exact && (!isNarrow(question) || wideFilters.has(question))) return null;
  const looking = { rows: exact + 1, most: exact };
  const { keys, complete } = await newestKeys(index.rows.reader, question, looking);
  if (!complete) wideFilters.add(question);
  return complete ? keys : null;
}

async function scanned(index: NeighbourIndex, question: NearestQuery, keys: readonly number[]): Promise<VectorHit[]> {
  const compared = keys.length === 0 ? [] : await index.compare(question.vector, keys);
  return passed(index, question, compared.sort(nearestFirst));
}

// Candidates are checked from the nearest on until enough of them pass.
export async function passed(
  index: Pick<NeighbourIndex, 'rows'>,
  question: NearestQuery,
  ranked: readonly Neighbour[],
): Promise<VectorHit[]> {
  const hits: VectorHit[] = [];
  const page = Math.max(PASS_PAGE, Math.ceil(SURE * question.limit));
  for (let looked = 0; looked < ranked.length && hits.length < question.limit; looked += page) {
    const part = ranked.slice(looked, looked + page);
    hits.push(...hitsOf(part, await passing(index.rows.reader, question, keysOf(part))));
  }
  return hits;
}

function union(a: readonly VectorHit[], b: readonly VectorHit[]): VectorHit[] {
  const byKey = new Map([...a, ...b].map((hit) => [hit.key, hit]));
  return [...byKey.values()].sort(nearestFirst);
}

function hitsOf(neighbours: readonly Neighbour[], refs: ReadonlyMap<number, string>): VectorHit[] {
  return neighbours.flatMap(({ key, cosine: near }) => {
    const ref = refs.get(key);
    return ref === undefined ? [] : [{ key, ref, cosine: near }];
  });
}

function keysOf(neighbours: readonly Neighbour[]): number[] {
  return neighbours.map(({ key }) => key);
}

// Sorts by cosine; of equal ones the later document comes first.
export function nearestFirst(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || b.key - a.key;
}

const REMEMBERED_MS = 60_000;
const MAX_CACHED = 1_000;

export class WideFilters {
  readonly #seen = new Map<string, number>();

  has(wanted: WantedVectors): boolean {
    const at = this.#seen.get(nameOf(wanted));
    return at !== undefined && Date.parse(wanted.now) - at < REMEMBERED_MS;
  }

  add(wanted: WantedVectors): void {
    const name = nameOf(wanted);
    this.#seen.delete(name);
    this.#seen.set(name, Date.parse(wanted.now));
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_CACHED && oldest !== undefined) this.#seen.delete(oldest);
  }
}

function nameOf({ kind, filter, exceptOrgIds, entityType }: WantedVectors): string {
  return JSON.stringify([kind, filter, exceptOrgIds, entityType]);
}
