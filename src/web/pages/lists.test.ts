import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortened } from '../frame/head.ts';
import { byLetter } from './catalog.ts';
import { onePerProduct } from './home.ts';

test('names stand under their letter, others under #', () => {
  const groups = byLetter([{ name: 'beta' }, { name: 'Émile' }, { name: '7zip' }, { name: 'Bach' }]);
  assert.deepEqual(
    groups.map(({ letter, orgs }) => [letter, orgs.map(({ name }) => name)]),
    [
      ['#', ['7zip']],
      ['B', ['Bach', 'beta']],
      ['E', ['Émile']],
    ],
  );
});

test('the home page shows at most one release of an org and product', () => {
  const of = (org: string, product: string | null, source: string) =>
    ({ org: { id: org }, product: product && { id: product }, source: { id: source } }) as never;
  const shown = onePerProduct([of('a', 'p', 's'), of('a', 'p', 't'), of('a', null, 's'), of('a', null, 's')], 20);
  assert.equal(shown.length, 2);
});

test('a description is cut at a word', () => {
  assert.equal(shortened('  one   two ', 20), 'one two');
  const cut = shortened('word '.repeat(60), 160);
  assert.ok(cut.length <= 160 && cut.endsWith('word…'), cut);
});
