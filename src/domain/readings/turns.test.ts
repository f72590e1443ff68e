import assert from 'node:assert/strict';
import { it } from 'node:test';
import { turnsInLine } from './turns.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');

// Serves everybody in the order of their places, as orders arrive.
function servedIn(orders: readonly { who: string; count: number; after: number }[]): string {
  const line: { who: string; turn: string }[] = [];
  const served: string[] = [];
  const serve = () => {
    line.sort((one, other) => (one.turn < other.turn ? -1 : 1));
    const next = line.shift();
    if (next) served.push(next.who);
  };
  for (const { who, count, after } of orders) {
    while (served.length < after) serve();
    const turns = line.map(({ turn }) => turn).sort();
    const own = line.filter((one) => one.who === who).map(({ turn }) => turn);
    const places = turnsInLine({ at: AT, head: turns[0] ?? null, own: own.sort().at(-1) ?? null }, count);
    line.push(...places.map((turn) => ({ who, turn })));
  }
  while (line.length > 0) serve();
  return served.join('');
}

it('who comes later is served between the readings of a long list, and lists take turns', () => {
  assert.equal(servedIn([{ who: 'a', count: 5, after: 0 }]), 'aaaaa');
  assert.equal(
    servedIn([
      { who: 'a', count: 5, after: 0 },
      { who: 'b', count: 1, after: 1 },
    ]),
    'aabaaa',
  );
  assert.equal(
    servedIn([
      { who: 'a', count: 5, after: 0 },
      { who: 'b', count: 4, after: 1 },
      { who: 'a', count: 2, after: 1 },
    ]),
    'aabababab' + 'aa',
  );
});
