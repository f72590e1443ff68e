import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choosePart,
  type LookupMethod,
  lookupMethod,
  namesOf,
  type PackageName,
  type PackageRequest,
  type PartRequest,
  partOfPackage,
} from './requested-package.ts';

const ID = `src_${'a'.repeat(21)}`;

const bothNames = (npm: string, pypi = npm): PackageName[] => [
  { ecosystem: 'npm', name: npm },
  { ecosystem: 'pypi', name: pypi },
];

describe('lookupMethod', () => {
  const cases: [PackageRequest, LookupMethod][] = [
    [{ package: ID }, { by: 'id', id: ID }],
    [
      { package: ID, ecosystem: 'npm' },
      { by: 'id', id: ID },
    ],
    [{ package: 'src_short' }, { by: 'slug', slug: 'src_short', names: bothNames('src_short', 'src-short') }],
    [
      { package: 'src_short', ecosystem: 'npm' },
      { by: 'package_map', ecosystem: 'npm', name: 'src_short' },
    ],
    [
      { package: '@A/b', ecosystem: 'npm' },
      { by: 'package_map', ecosystem: 'npm', name: '@a/b' },
    ],
    [
      { package: 'A_.b', ecosystem: 'pypi' },
      { by: 'package_map', ecosystem: 'pypi', name: 'a-b' },
    ],
    [
      { package: 'Owner/Repo.js', ecosystem: 'github' },
      { by: 'coordinate', coordinate: 'owner/repo.js' },
    ],
    [{ package: 'github:Owner/Repo' }, { by: 'coordinate', coordinate: 'owner/repo' }],
    [
      { package: 'GitHub:Owner/Repo', ecosystem: 'github' },
      { by: 'coordinate', coordinate: 'owner/repo' },
    ],
    [
      { package: 'a/b/c', ecosystem: 'github' },
      { by: 'nothing', reason: 'not_tracked' },
    ],
    [{ package: 'github:a' }, { by: 'nothing', reason: 'not_tracked' }],
    ...[
      'https://github.com/A/b',
      'git+https://github.com/a/b.git',
      'https://github.com/a/b/tree/main',
      'git@github.com:a/b.git',
    ].flatMap((address): [PackageRequest, LookupMethod][] => [
      [{ package: address }, { by: 'coordinate', coordinate: 'a/b' }],
      [
        { package: address, ecosystem: 'github' },
        { by: 'coordinate', coordinate: 'a/b' },
      ],
    ]),
    [{ package: 'https://example.com/a/b' }, { by: 'nothing', reason: 'ecosystem_required', coordinate: null }],
    [{ package: 'npm:Lamp' }, { by: 'package_map', ecosystem: 'npm', name: 'lamp' }],
    [
      { package: 'npm:@acme/lamp@^2.0.0', ecosystem: 'npm' },
      { by: 'package_map', ecosystem: 'npm', name: '@acme/lamp' },
    ],
    [{ package: 'PyPI:A_b' }, { by: 'package_map', ecosystem: 'pypi', name: 'a-b' }],
    [{ package: 'lamp@1.2.3' }, { by: 'slug', slug: 'lamp', names: bothNames('lamp') }],
    [
      { package: '@acme/lamp@latest', ecosystem: 'npm' },
      { by: 'package_map', ecosystem: 'npm', name: '@acme/lamp' },
    ],
    [
      { package: 'owner/repo@v1.2.3', ecosystem: 'github' },
      { by: 'coordinate', coordinate: 'owner/repo' },
    ],
    [
      { package: '../..', ecosystem: 'github' },
      { by: 'nothing', reason: 'not_tracked' },
    ],
    [
      { package: 'next', ecosystem: 'github' },
      { by: 'slug', slug: 'next', names: bothNames('next') },
    ],
    [{ package: 'next' }, { by: 'slug', slug: 'next', names: bothNames('next') }],
    [{ package: 'Owner/Repo' }, { by: 'nothing', reason: 'ecosystem_required', coordinate: 'owner/repo' }],
    [{ package: 'acme/cli' }, { by: 'org_source', org: 'acme', slug: 'cli', coordinate: 'acme/cli' }],
    [{ package: '@Scope/pkg' }, { by: 'slug', slug: '@Scope/pkg', names: [{ ecosystem: 'npm', name: '@scope/pkg' }] }],
    [{ package: 'a/b/c' }, { by: 'nothing', reason: 'ecosystem_required', coordinate: null }],
    [{ package: '/' }, { by: 'nothing', reason: 'ecosystem_required', coordinate: null }],
  ];
  for (const [requested, method] of cases) {
    it(`${requested.package} ${requested.ecosystem ?? ''}`, () => assert.deepEqual(lookupMethod(requested), method));
  }
});

describe('namesOf', () => {
  const cases: [PackageRequest, string[]][] = [
    [{ package: '@a/x', ecosystem: 'npm' }, ['@a/x', 'x']],
    [{ package: 'x' }, ['x']],
    [{ package: 'acme/x' }, ['x']],
    [{ package: 'a/x', ecosystem: 'github' }, []],
    [{ package: ID }, []],
  ];
  for (const [requested, names] of cases) {
    it(requested.package, () => assert.deepEqual(namesOf(requested, lookupMethod(requested)), names));
  }
});

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
