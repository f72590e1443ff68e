import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseManifests, MAX_MANIFESTS } from './refresh.ts';

const tree = (...paths: string[]) => paths.map((path) => ({ path, hash: path, size: 100 }));
const chosen = (...paths: string[]) => chooseManifests(tree(...paths)).map(({ path }) => path);

describe('chooseManifests', () => {
  const cases: [string, string[], string[]][] = [
    [
      'by name alone',
      ['package.json', 'a/pyproject.toml', 'setup.cfg', 'x.json', 'PACKAGE.JSON'],
      ['package.json', 'setup.cfg', 'a/pyproject.toml'],
    ],
    [
      'outside of ignored folders',
      ['node_modules/a/package.json', 'a/Examples/b/package.json', 'vendor/setup.cfg'],
      [],
    ],
    [
      'the ones near the root first',
      ['z/a/package.json', 'b/package.json', 'a/package.json', 'package.json'],
      ['package.json', 'a/package.json', 'b/package.json', 'z/a/package.json'],
    ],
    ['not what only sounds like it', ['package.json/readme', 'my-package.json'], []],
  ];
  for (const [name, paths, expected] of cases) it(name, () => assert.deepEqual(chosen(...paths), expected));

  it('no more than 300, and none of a size that nobody writes', () => {
    const many = Array.from({ length: MAX_MANIFESTS + 5 }, (_, index) => `p${index}/package.json`);
    assert.equal(chosen(...many, 'package.json').length, MAX_MANIFESTS);
    assert.equal(chosen(...many, 'package.json')[0], 'package.json');
    assert.deepEqual(chooseManifests([{ path: 'package.json', hash: 'x', size: 10_000_000 }]), []);
    assert.equal(chooseManifests([{ path: 'package.json', hash: 'x', size: null }]).length, 1);
  });
});
