// The nearest vectors that pass a filter. Few are scanned exactly; of many, the index is asked for more than is wanted,
// and where that was not enough the newest that pass are scanned too, so that no filter shortens a page.
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import type { VectorHit } from '../../../domain/search-legs.ts';
import type { Wanted } from './conditions.ts';
import type { Neighbour } from './hnsw.ts';
import { rowsOfKeys } from './kept-rows.ts';
import type { KindIndex } from './kind-index.ts';
import { isNarrow, newestKeys } from './newest.ts';
import { passing } from './passing.ts';
import type { Selectivity } from './selectivity.ts';

export interface Bounds {
  /** So many vectors are read and scanned exactly. */
  exact: number;
  /** How many neighbours the index is asked for. */
  least: number;
  most: number;
  /** How many rows are looked at for the newest that pass: first a little, then, for what is rare and old, much. */
  looked: readonly number[];
}

const BOUNDS: Bounds = { exact: 4_000, least: 64, most: 2_048, looked: [20_000, 200_000] };
const OVERSAMPLING = 2;
// So many more than should be needed are looked up at once.
const SURE = 1.1;
const SCAN_PAGE = 500;
const PASS_PAGE = 64;

export interface Question extends Wanted {
  vector: Float32Array;
  limit: number;
}

export async function nearest(
  index: KindIndex,
  question: Question,
  shares: Selectivity,
  bounds = BOUNDS,
): Promise<VectorHit[]> {
  const { limit } = question;
  if (limit <= 0 || index.hnsw.size === 0) return [];
  const few = await fewKeys(index, question, shares, bounds);
  if (few) return (await scanned(index, question, few)).slice(0, limit);

  const found = await oversampled(index, question, shares, bounds);
  if (found.length >= limit) return found.slice(0, limit);
  let merged = found;
  for (const rows of bounds.looked) {
    const { keys, complete } = await newestKeys(index.rows.reader, question, { rows, most: bounds.exact });
    merged = union(found, await scanned(index, question, keys));
    if (merged.length >= limit || complete) break;
  }
  return merged.slice(0, limit);
}

// All keys that pass, when they are few; a filter that left many is remembered.
async function fewKeys(
  index: KindIndex,
  question: Question,
  shares: Selectivity,
  { exact }: Bounds,
): Promise<number[] | null> {
  if (index.hnsw.size > exact && (!isNarrow(question) || shares.isWide(question))) return null;
  const looking = { rows: exact + 1, most: exact };
  const { keys, complete } = await newestKeys(index.rows.reader, question, looking);
  if (!complete) shares.wide(question);
  return complete ? keys : null;
}

async function oversampled(
  index: KindIndex,
  question: Question,
  shares: Selectivity,
  { least, most }: Bounds,
): Promise<VectorHit[]> {
  const { vector, limit } = question;
  const query = quantise(vector).data;
  const wanted = () => Math.min(most, Math.max(least, Math.ceil((OVERSAMPLING * limit) / shares.of(question))));
  for (let asked = wanted(); ; ) {
    const neighbours = index.hnsw.nearest(query, asked);
    const page = Math.ceil((SURE * limit) / shares.of(question));
    const { hits, looked } = await passed(index, question, neighbours, page);
    shares.seen(question, hits.length, looked);
    // A second, deeper question when the first was too shallow.
    const deeper = wanted();
    if (hits.length >= limit || neighbours.length < asked || deeper <= asked) return hits;
    asked = deeper;
  }
}

async function scanned(index: KindIndex, question: Question, keys: readonly number[]): Promise<VectorHit[]> {
  const { hits } = await passed(index, question, await scan(index, question, keys), question.limit);
  return hits;
}

async function scan(index: KindIndex, { vector }: Question, keys: readonly number[]): Promise<Neighbour[]> {
  const found: Neighbour[] = [];
  for (let at = 0; at < keys.length; at += SCAN_PAGE) {
    for (const { key, data } of await rowsOfKeys(index.rows, keys.slice(at, at + SCAN_PAGE))) {
      if (data.length === vector.length) found.push({ key, cosine: cosine(vector, data) });
    }
  }
  return found.sort(nearestFirst);
}

// From the nearest on, until enough pass.
async function passed(
  index: KindIndex,
  question: Question,
  ranked: readonly Neighbour[],
  page: number,
): Promise<{ hits: VectorHit[]; looked: number }> {
  const hits: VectorHit[] = [];
  let looked = 0;
  while (looked < ranked.length && hits.length < question.limit) {
    const part = ranked.slice(looked, looked + Math.max(PASS_PAGE, page));
    hits.push(...hitsOf(part, await passing(index.rows.reader, question, keysOf(part))));
    looked += part.length;
  }
  return { hits, looked };
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

// Equal cosines in a fixed order: the later thing first.
function nearestFirst(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || b.key - a.key;
}
