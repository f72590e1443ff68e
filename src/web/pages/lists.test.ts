import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePerProduct } from '../../releases/feeds/newest.ts';
import { shortened } from '../frame/document.ts';
import { byLetter } from './catalog.ts';

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

test('a list of the home page has at most one release of a product', () => {
  const of = (product: string | null, source: string) => ({ product_id: product, source_id: source });
  const shown = onePerProduct([of('p', 's'), of('p', 't'), of(null, 's'), of(null, 's')]);
  assert.deepEqual(shown, [of('p', 's'), of(null, 's')]);
});

test('a description is cut at a word', () => {
  assert.equal(shortened('  one   two ', 20), 'one two');
  const cut = shortened('word '.repeat(60), 160);
  assert.ok(cut.length <= 160 && cut.endsWith('word…'), cut);
});
