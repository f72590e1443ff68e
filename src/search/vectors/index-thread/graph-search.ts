// The neighbours of a question in the graph of this process, which knows no filters.
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import type { VectorHit } from '../../../domain/retrieval/retrievers.ts';
import { type Bounds, type NearestQuery, OVERSAMPLING, passed } from '../nearest/nearest.ts';
import { rowsOfKeys, type VectorRows } from '../nearest/vector-rows.ts';
import type { Graph } from './graph.ts';
import type { Neighbour } from './hnsw.ts';

const SCAN_PAGE = 500;

interface GraphOfRows {
  rows: VectorRows;
  graph: Graph;
}

// Asks the index for more neighbours than wanted: first as many as suffice when most pass, then the most that are allowed. The
// numbers are fixed, because an approximate index gives slightly different results for each number.
export async function oversampled(
  { rows, graph }: GraphOfRows,
  question: NearestQuery,
  { least, most }: Bounds,
): Promise<VectorHit[]> {
  const { vector, limit } = question;
  const query = quantise(vector).data;
  const first = Math.min(most, Math.max(least, Math.ceil(OVERSAMPLING * limit)));
  for (const requested of first < most ? [first, most] : [most]) {
    const neighbours = graph.nearest(query, requested);
    const hits = await passed({ rows }, question, neighbours);
    if (hits.length >= limit || neighbours.length < requested || requested === most) return hits;
  }
  return [];
}

export async function compareRows(
  rows: VectorRows,
  vector: Float32Array,
  keys: readonly number[],
): Promise<Neighbour[]> {
  const found: Neighbour[] = [];
  for (let at = 0; at < keys.length; at += SCAN_PAGE) {
    for (const { key, data } of await rowsOfKeys(rows, keys.slice(at, at + SCAN_PAGE))) {
      if (data.length === vector.length) found.push({ key, cosine: cosine(vector, data) });
    }
  }
  return found;
}
