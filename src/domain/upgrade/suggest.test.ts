import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNameIndex } from './suggest.ts';

const source = (slug: string, releases: number, ...names: string[]) => ({ slug, names: [slug, ...names], releases });

const INDEX = createNameIndex([
  source('next-js', 50, 'Next.js', 'next'),
  source('nextcloud', 900, 'Nextcloud Server'),
  source('react', 400, 'React', '@facebook/react', 'react-dom'),
  source('preact', 80, 'Preact'),
  source('vue-core', 300, 'Vue', 'vue'),
  source('zope', 10, 'Zope', 'zope-interface'),
  source('shared', 5, 'Shared'),
  source('shared', 70, 'Shared'),
]);

describe('closest', () => {
  const cases: [string, string[]][] = [
    ['nextjs', ['next-js']],
    ['Next.JS', ['next-js']],
    ['next_js', ['next-js']],
    ['vercel/next', ['next-js', 'nextcloud']],
    ['nextc', ['nextcloud', 'next-js']],
    ['act', ['react', 'preact']],
    ['@facebook/react', ['react', 'preact']],
    ['reakt', ['react']],
    ['raect', ['react']],
    ['zope.interface', ['zope']],
    ['vuu', ['vue-core']],
    ['shared', ['shared']],
    ['leact', []],
    ['r', ['react']],
    ['', []],
    ['///', []],
    ['completely-different', []],
  ];
  for (const [name, slugs] of cases) it(name || 'nothing', () => assert.deepEqual(INDEX.closest(name, 5), slugs));

  it('gives no more than are wanted, the ones with most releases first', () => {
    const many = createNameIndex(Array.from({ length: 40 }, (_, index) => source(`lib-${index}`, index)));
    assert.deepEqual(many.closest('lib', 3), ['lib-39', 'lib-38', 'lib-37']);
  });

  it('ends early on a name that is everywhere', () => {
    const many = createNameIndex(Array.from({ length: 20_000 }, (_, index) => source(`aa-${index}`, index)));
    assert.equal(many.closest('aa', 5).length, 5);
    assert.deepEqual(many.closest('a'.repeat(200_000), 5), []);
  });
});
