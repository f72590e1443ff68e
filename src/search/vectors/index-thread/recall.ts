// Measures how many true neighbours the index finds, by comparing all vectors.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cosine, normalise } from '../../../domain/embedding/quantise.ts';
import { rowsFromKey, type VectorRows } from '../nearest/vector-rows.ts';
import type { Graph } from './graph.ts';
import type { Neighbour } from './hnsw.ts';

export interface Sample {
  key: number;
  data: Int8Array;
}

// A sample as a query, with the nearest vectors that the scan has found so far.
interface SampleQuery {
  query: Float32Array;
  best: Neighbour[];
}

const NEIGHBOURS = 10;
const PAGE = 100;

// The recall of the index; null when there is no sample or the measurement was stopped.
export async function recallOf(
  rows: VectorRows,
  { graph, samples, isStopped }: { graph: Graph; samples: readonly Sample[]; isStopped: () => boolean },
): Promise<number | null> {
  if (samples.length === 0) return null;
  const requested = samples.map(({ data }): SampleQuery => ({ query: normalise(Float32Array.from(data)), best: [] }));
  for (let after = -1; ; ) {
    const page = await rowsFromKey(rows, after, PAGE);
    for (const { query, best } of requested) {
      for (const { key, data } of page) keepBest(best, { key, cosine: cosine(query, data) });
    }
    if (page.length < PAGE) break;
    after = page.at(-1)?.key ?? after;
    await nextTurn();
    if (isStopped()) return null;
  }
  let found = 0;
  let wanted = 0;
  for (const [at, { data }] of samples.entries()) {
    const best = new Set(requested[at]?.best.map(({ key }) => key));
    wanted += best.size;
    found += graph.nearest(data, NEIGHBOURS).filter(({ key }) => best.has(key)).length;
  }
  return wanted === 0 ? null : found / wanted;
}

function keepBest(best: Neighbour[], one: Neighbour): void {
  if (best.length === NEIGHBOURS && one.cosine <= (best.at(-1)?.cosine ?? 0)) return;
  const at = best.findIndex(({ cosine: other }) => other < one.cosine);
  best.splice(at === -1 ? best.length : at, 0, one);
  if (best.length > NEIGHBOURS) best.pop();
}
