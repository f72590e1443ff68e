import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choosePart, type PartRequest, partOfPackage } from './package-part.ts';

const NOTHING: PartRequest = { mapped: null, names: [], inBounds: [], coordinate: null };

describe('choosePart', () => {
  const cases: [string, string[], boolean, Partial<PartRequest>, string | null | string[]][] = [
    ['the map decides', ['a', 'b'], true, { mapped: 'b', names: ['a'] }, 'b'],
    ['in its own spelling', ['Core'], false, { mapped: 'core' }, 'Core'],
    ['even what has no release yet', ['a'], true, { mapped: 'new' }, 'new'],
    ['the asked name', ['@s/a', 'a', 'b'], true, { names: ['@s/a', 'a'] }, '@s/a'],
    ['without its scope', ['a', 'b'], true, { names: ['@s/a', 'a'] }, 'a'],
    ['in another spelling', ['My_Pkg', 'b'], true, { names: ['my-pkg'] }, 'My_Pkg'],
    ['what the bounds name', ['a', 'b'], true, { names: ['x'], inBounds: ['b', 'b'] }, 'b'],
    ['and both of them before the asked name', ['a', 'b'], true, { names: ['a'], inBounds: ['b', 'b'] }, 'b'],
    ['one of them does not', ['a', 'b'], true, { names: ['a'], inBounds: ['b'] }, 'a'],
    ['unless they disagree', ['a', 'b'], true, { inBounds: ['a', 'b'] }, null],
    ['or name nothing that exists', ['a', 'b'], true, { inBounds: ['c'] }, null],
    ['releases without a part', ['a', 'kit'], true, { coordinate: 'acme/kit' }, null],
    ['the part named like the repository', ['a', 'kit'], false, { coordinate: 'acme/kit' }, 'kit'],
    ['the only part', ['a'], false, { coordinate: 'acme/kit' }, 'a'],
    ['nothing at all', [], false, {}, null],
    ['several', ['a', 'b'], false, { names: ['c'], coordinate: 'acme/kit' }, ['a', 'b']],
  ];
  for (const [name, parts, hasBare, requested, expected] of cases) {
    it(name, () => {
      const choice = choosePart({ parts, hasBare }, { ...NOTHING, ...requested });
      assert.deepEqual(choice, Array.isArray(expected) ? { choices: expected } : { part: expected });
    });
  }

  it('tells twenty of many', () => {
    const parts = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const choice = choosePart({ parts, hasBare: false }, NOTHING);
    assert.equal('choices' in choice && choice.choices.length, 20);
  });
});

describe('partOfPackage', () => {
  const parts = ['@scope/pkg', 'cli', 'packages/server', 'web'];
  const cases: [string, string, string | null][] = [
    ['@scope/pkg', 'packages/pkg', '@scope/pkg'],
    ['@scope/cli', '', 'cli'],
    ['@scope/other', 'packages/server', 'packages/server'],
    ['@scope/other', 'apps/web', 'web'],
    ['@scope/other', 'apps/other', null],
    ['other', '', null],
  ];
  for (const [name, folder, part] of cases) {
    it(`${name} in ${folder || 'the root'}`, () => assert.equal(partOfPackage(parts, { name, folder }), part));
  }
});
