import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedPackages } from './changed-packages.ts';
import { type LockedPackages, PackageList } from './types.ts';

interface Copy {
  places?: string[];
  // The workspaces that name it, with the name under which they install it.
  named?: [workspace: string, installedAs: string][];
  ref?: string;
  dev?: boolean;
}

type Copies = [name: string, version: string, copy?: Copy][];

function state(copies: Copies): LockedPackages {
  const list = new PackageList('npm');
  for (const [name, version, { places = [], named = [], ref, dev }] of copies.map(
    ([name, version, copy = {}]) => [name, version, copy] as const,
  )) {
    const details = { ...(ref === undefined ? {} : { source: 'git' as const, ref }), dev };
    const [first = list.add(name, version, details)] = places.map((place) =>
      list.add(name, version, { ...details, place }),
    );
    for (const [workspace, installedAs] of named) if (first) list.name(workspace, installedAs, first);
  }
  list.knowsDirect();
  return list;
}

type Row = [name: string, from: string | null, to: string | null, direct?: boolean | null];

const root = (name: string): Copy => ({ named: [['', name]], places: [`node_modules/${name}`] });
const at = (...places: string[]): Copy => ({ places });

describe('what differs between two states of a lockfile', () => {
  const cases: [title: string, before: Copies, after: Copies, rows: Row[]][] = [
    ['nothing', [['a', '1.0.0']], [['a', '1.0.0']], []],
    [
      'every copy is compared, not only the highest',
      [
        ['mime', '1.4.1', at('node_modules/send/node_modules/mime')],
        ['mime', '2.6.0', at('node_modules/mime')],
      ],
      [
        ['mime', '1.6.0', at('node_modules/send/node_modules/mime')],
        ['mime', '2.6.0', at('node_modules/mime')],
      ],
      [['mime', '1.4.1', '1.6.0', false]],
    ],
    [
      'a copy that goes leaves the other one alone',
      [
        ['queue', '0.1.0', at('node_modules/queue')],
        ['queue', '1.2.2', at('node_modules/runner/node_modules/queue')],
      ],
      [['queue', '0.1.0', at('node_modules/queue')]],
      [['queue', '1.2.2', null, false]],
    ],
    [
      'direct dependencies by workspace, wherever they are installed',
      [
        ['semver', '5.7.1', { named: [['packages/c', 'semver']], places: ['packages/c/node_modules/semver'] }],
        ['semver', '7.5.0', { named: [['packages/b', 'semver']], places: ['node_modules/semver'] }],
      ],
      [
        ['semver', '5.7.2', { named: [['packages/c', 'semver']], places: ['node_modules/semver'] }],
        ['semver', '7.7.2', { named: [['packages/b', 'semver']], places: ['packages/b/node_modules/semver'] }],
      ],
      [
        ['semver', '5.7.1', '5.7.2', true],
        ['semver', '7.5.0', '7.7.2', true],
      ],
    ],
    [
      'a direct dependency whose old copy stays for others has changed',
      [['chalk', '4.1.2', root('chalk')]],
      [
        ['chalk', '5.6.2', root('chalk')],
        ['chalk', '4.1.2', at('node_modules/eslint/node_modules/chalk')],
      ],
      [['chalk', '4.1.2', '5.6.2', true]],
    ],
    [
      'a direct dependency that moves to a copy which was there has changed',
      [
        ['ms', '2.0.0', root('ms')],
        ['ms', '2.1.3', at('node_modules/debug/node_modules/ms')],
      ],
      [['ms', '2.1.3', root('ms')]],
      [['ms', '2.0.0', '2.1.3', true]],
    ],
    [
      'an alias under its real name; another package behind it is no change of the first',
      [
        ['react', '17.0.1', { named: [['', 'react-17']] }],
        ['react', '16.13.0', { named: [['', 'react-16']] }],
      ],
      [
        ['react', '17.0.2', { named: [['', 'react-17']] }],
        ['preact', '10.26.0', { named: [['', 'react-16']] }],
      ],
      [
        ['preact', null, '10.26.0', true],
        ['react', '16.13.0', null, true],
        ['react', '17.0.1', '17.0.2', true],
      ],
    ],
    [
      'the same move of several workspaces is told once',
      [
        [
          'zod',
          '3.0.0',
          {
            named: [
              ['a', 'zod'],
              ['b', 'zod'],
            ],
          },
        ],
      ],
      [
        [
          'zod',
          '4.0.0',
          {
            named: [
              ['a', 'zod'],
              ['b', 'zod'],
            ],
          },
        ],
      ],
      [['zod', '3.0.0', '4.0.0', true]],
    ],
    [
      'workspaces that part are told apart',
      [
        [
          'zod',
          '3.0.0',
          {
            named: [
              ['a', 'zod'],
              ['b', 'zod'],
            ],
          },
        ],
      ],
      [
        ['zod', '3.1.0', { named: [['a', 'zod']] }],
        ['zod', '4.0.0', { named: [['b', 'zod']] }],
      ],
      [
        ['zod', '3.0.0', '3.1.0', true],
        ['zod', '3.0.0', '4.0.0', true],
      ],
    ],
    [
      'without places in the order of versions',
      [
        ['numpy', '1.26.0'],
        ['numpy', '1.24.0'],
      ],
      [
        ['numpy', '2.2.5'],
        ['numpy', '1.26.4'],
      ],
      [
        ['numpy', '1.24.0', '1.26.4', false],
        ['numpy', '1.26.0', '2.2.5', false],
      ],
    ],
    [
      'one that is left over is not forced into a pair of another major version',
      [['b', '2.0.0']],
      [
        ['b', '1.0.0'],
        ['b', '2.1.0'],
      ],
      [
        ['b', null, '1.0.0', false],
        ['b', '2.0.0', '2.1.0', false],
      ],
    ],
    [
      'the place counts before the version',
      [
        ['b', '1.0.0', at('x')],
        ['b', '2.0.0', at('y')],
      ],
      [
        ['b', '3.0.0', at('x')],
        ['b', '2.5.0', at('y')],
      ],
      [
        ['b', '1.0.0', '3.0.0', false],
        ['b', '2.0.0', '2.5.0', false],
      ],
    ],
    [
      'another commit of the same version is a change',
      [['tool', '1.0.0', { ref: 'git+https://x/tool#aaaa' }]],
      [['tool', '1.0.0', { ref: 'git+https://x/tool#bbbb' }]],
      [['tool', '1.0.0', '1.0.0', false]],
    ],
    [
      'names of Python and of scopes are compared as registries do',
      [['@A/x', '1.0.0']],
      [['@a/x', '1.1.0']],
      [['@a/x', '1.0.0', '1.1.0', false]],
    ],
  ];
  for (const [title, before, after, rows] of cases) {
    it(title, () => {
      const found = changedPackages(state(before), state(after));
      assert.deepEqual(
        found.map(({ name, from, to, direct }): Row => [name, from, to, direct]),
        rows,
      );
    });
  }

  it('tells what comes from no registry, and what only development needs', () => {
    const [change] = changedPackages(
      state([['tool', '1.0.0', { dev: true }]]),
      state([['tool', '2.0.0', { dev: true, ref: 'git+https://x/tool#b' }]]),
    );
    assert.deepEqual(
      [change?.source, change?.fromRef, change?.toRef, change?.dev],
      ['git', null, 'git+https://x/tool#b', true],
    );
  });

  it('copies of one package by the thousand cost no more than their number', () => {
    const many = (major: number): Copies =>
      Array.from({ length: 5000 }, (_, index) => ['a', `${major}.${index}.0`] as [string, string]);
    assert.equal(changedPackages(state(many(1)), state([...many(2), ['a', '3.0.0']])).length, 5001);
  });
});
