import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import type { Embedder } from './embedder.ts';
import { QueryVectors } from './query-vectors.ts';

const HOUR = 3_600_000;

function counting(answer: (text: string) => Promise<Float32Array>) {
  const texts: string[] = [];
  const embedder: Embedder = {
    id: 'made',
    dims: 2,
    weight: 1,
    batch: 1,
    async embed([text = '']) {
      texts.push(text);
      return [await answer(text)];
    },
  };
  const clock = movableClock('2026-03-10T12:00:00.000Z');
  return { texts, clock, queries: new QueryVectors({ embedder, clock, patienceMs: 20 }) };
}

it('a query is embedded once an hour', async () => {
  const { texts, clock, queries } = counting(async () => Float32Array.of(1, 0));

  await Promise.all([queries.of('cache', 2), queries.of('cache', 2)]);
  clock.move(HOUR - 1);
  await queries.of('cache', 2);
  assert.deepEqual(texts, ['cache']);

  clock.move(1);
  await queries.of('cache', 2);
  assert.equal(texts.length, 2);
});

it('ten thousand are remembered, and the one asked last is the last to be forgotten', async () => {
  const { texts, queries } = counting(async () => Float32Array.of(1, 0));

  await queries.of('often', 2);
  for (let number = 0; number < 9_999; number += 1) await queries.of(`q${number}`, 2);
  await queries.of('often', 2);
  await queries.of('one more', 2);
  await queries.of('often', 2);
  assert.equal(texts.filter((text) => text === 'often').length, 1);

  await queries.of('q0', 2);
  assert.equal(texts.filter((text) => text === 'q0').length, 2);
});

it('neither a failure, nor a late answer, nor one of another size is remembered', async () => {
  const answers = [
    () => Promise.reject(new Error('down')),
    () => new Promise<Float32Array>(() => {}),
    async () => Float32Array.of(1, 0, 0),
    async () => Float32Array.of(0, 1),
  ];
  const { queries } = counting(() => (answers.shift() ?? assert.fail())());

  await assert.rejects(queries.of('cache', 2), /down/);
  await assert.rejects(queries.of('cache', 2), { code: 'timeout' });
  await assert.rejects(queries.of('cache', 2), { code: 'malformed' });
  assert.deepEqual([...(await queries.of('cache', 2))], [0, 1]);
});
