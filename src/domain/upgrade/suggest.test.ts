import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNameIndex, type NameIndex } from './suggest.ts';

let count = 0;
const source = (slug: string, releases: number, name = slug, ...packages: string[]) => ({
  id: `source-${count++}`,
  slug,
  name,
  packages: packages.map((name) => ({
    ecosystem: name.startsWith('zope') ? ('pypi' as const) : ('npm' as const),
    name,
  })),
  releases,
});
const slugs = (index: NameIndex, name: string, most = 5) => index.closest(name, { most }).map(({ slug }) => slug);

const INDEX = createNameIndex([
  source('next-js', 50, 'Next.js', 'next'),
  source('nextcloud', 900, 'Nextcloud Server'),
  source('react', 400, 'React', '@facebook/react', 'react-dom'),
  source('preact', 80, 'Preact'),
  source('vue-core', 300, 'Vue', 'vue'),
  source('zope', 10, 'Zope', 'zope-interface'),
  source('express-session', 900),
  source('express', 300, 'Express', 'express', 'session'),
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
    ['shared', ['shared', 'shared']],
    ['expres', ['express', 'express-session']],
    ['session', ['express', 'express-session']],
    ['leact', []],
    ['r', ['react']],
    ['', []],
    ['///', []],
    ['completely-different', []],
  ];
  for (const [name, expected] of cases) it(name || 'nothing', () => assert.deepEqual(slugs(INDEX, name), expected));

  it('gives no more than are wanted, of those that are equally close the ones with most releases', () => {
    const many = createNameIndex(Array.from({ length: 40 }, (_, index) => source(`lib-${index + 10}`, index)));
    assert.deepEqual(slugs(many, 'lib', 3), ['lib-49', 'lib-48', 'lib-47']);
  });

  it('names the closest package of a source, one of the asked ecosystem before others', () => {
    const both = { id: 'both', slug: 'both-site', name: 'Both', releases: 1 };
    const index = createNameIndex([
      {
        ...both,
        packages: [
          { ecosystem: 'npm', name: 'both-js' },
          { ecosystem: 'pypi', name: 'both-python' },
        ],
      },
    ]);
    const named = (name: string, ecosystem?: 'npm' | 'pypi') =>
      index.closest(name, { most: 5, ecosystem })[0]?.package?.name;
    assert.deepEqual(
      [named('both'), named('both', 'pypi'), named('both', 'npm')],
      ['both-js', 'both-python', 'both-js'],
    );
    assert.equal(named('bothsite'), undefined);
  });

  it('ends early on a name that is everywhere', () => {
    const many = createNameIndex(Array.from({ length: 20_000 }, (_, index) => source(`aa-${index}`, index)));
    assert.equal(slugs(many, 'aa').length, 5);
    assert.deepEqual(slugs(many, 'a'.repeat(200_000)), []);
  });
});
