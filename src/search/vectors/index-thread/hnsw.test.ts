import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BatchMatches, exactSearch, MetricKind } from 'usearch';
import { cosine, quantise } from '../../../domain/embedding/quantise.ts';
import { madeVectors } from '../made-vectors.fixture.ts';
import { Hnsw } from './hnsw.ts';

describe('the graph of neighbours', () => {
  it('keeps cosines as exact as the bytes are', () => {
    const vectors = madeVectors({ count: 200, dims: 384, seed: 1 });
    const index = new Hnsw(384);
    for (const [key, vector] of vectors.entries()) index.put(key, quantise(vector).data);

    for (const query of madeVectors({ count: 20, dims: 384, seed: 2 })) {
      for (const hit of index.nearest(quantise(query).data, 10)) {
        const kept = quantise(vectors[hit.key] as Float32Array).data;
        assert.ok(Math.abs(hit.cosine - cosine(query, kept)) < 0.003, `${hit.cosine}`);
      }
    }
  });

  it('a key that is put again has its last vector', () => {
    const index = new Hnsw(4);
    index.put(7, Int8Array.of(127, 0, 0, 0));
    index.put(7, Int8Array.of(0, 127, 0, 0));

    assert.equal(index.size, 1);
    assert.deepEqual(
      index.nearest(Int8Array.of(0, 127, 0, 0), 5).map(({ key, cosine }) => [key, Math.round(cosine * 100)]),
      [[7, 100]],
    );
    assert.equal(index.remove(7), true);
    assert.equal(index.remove(7), false);
    assert.deepEqual(index.nearest(Int8Array.of(0, 127, 0, 0), 5), []);
  });

  // At least 95 of 100 true neighbours among the first ten are found in a large index; in a small one more have to be.
  it('finds ten neighbours as a scan of everything would', () => {
    const dims = 64;
    const vectors = madeVectors({ count: 3_000, dims, seed: 3 });
    const queries = madeVectors({ count: 400, dims, seed: 3, from: 3_000 });
    const index = new Hnsw(dims);
    for (const [key, vector] of vectors.entries()) index.put(key, quantise(vector).data);

    const exact = exactSearch(flat(vectors), flat(queries), dims, 10, MetricKind.Cos, 1) as BatchMatches;
    const found = queries.map((query, at) => {
      const best = new Set(Array.from(exact.get(at).keys, Number));
      return index.nearest(quantise(query).data, 10).filter(({ key }) => best.has(key)).length;
    });

    const recall = found.reduce((sum, count) => sum + count, 0) / (10 * queries.length);
    assert.ok(recall >= 0.98, `recall@10 ${recall}`);
  });
});

function flat(vectors: readonly Float32Array[]): Float32Array {
  const width = vectors[0]?.length ?? 0;
  const all = new Float32Array(vectors.length * width);
  for (const [at, vector] of vectors.entries()) all.set(vector, at * width);
  return all;
}
