import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LookupMethod, lookupMethod, namesOf, type PackageName, type PackageRequest } from './asked.ts';

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
    [
      { package: 'https://github.com/a/b', ecosystem: 'github' },
      { by: 'nothing', reason: 'not_tracked' },
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
