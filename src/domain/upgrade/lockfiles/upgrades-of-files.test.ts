import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { git, requested } from './upgrades.fixture.ts';
import { MAX_UPGRADES, readUpgrades } from './upgrades.ts';

const lock = (versions: Record<string, string>, ranges: Record<string, string> = {}) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: ranges },
      ...Object.fromEntries(Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }])),
    },
  });
const manifest = (dependencies: Record<string, string>) => JSON.stringify({ name: 'app', dependencies });

describe('upgrades of files', () => {
  it('two states of a lockfile: direct dependencies first', () => {
    assert.deepEqual(
      requested(
        { filename: 'old/package-lock.json', text: lock({ a: '1.0.0', z: '1.0.0', same: '1.0.0', low: '2.0.0' }) },
        {
          filename: 'package-lock.json',
          text: lock({ a: '1.1.0', z: '2.0.0', same: '1.0.0', low: '1.0.0' }, { z: '^2' }),
        },
      ),
      {
        upgrades: [
          ['z', '1.0.0', '2.0.0', true],
          ['a', '1.0.0', '1.1.0', false],
        ],
        others: [['low', 'lowered']],
      },
    );
  });

  it('a manifest alone: from the lowest version that the range admits to the newest one', () => {
    const text = manifest({ a: '^1.2.0', b: '*', c: 'latest', d: 'workspace:*', e: '2.x' });
    assert.deepEqual(requested({ text }), {
      upgrades: [
        ['a', '^1.2.0', 'latest', true],
        ['e', '2.x', 'latest', true],
      ],
      others: [
        ['b', 'any_version'],
        ['c', 'unreadable'],
      ],
    });
  });

  it('a manifest with its lockfile, in any order: from the version in use', () => {
    const files = [
      { text: manifest({ a: '^1.2.0', b: '^3.0.0' }) },
      { text: lock({ a: '1.4.2', deep: '0.1.0' }) },
    ] as const;
    const expected = {
      upgrades: [
        ['a', '1.4.2', 'latest', true],
        ['b', '^3.0.0', 'latest', true],
      ],
      others: [],
    };
    assert.deepEqual(requested(...files), expected);
    assert.deepEqual(requested(...files.toReversed()), expected);
  });

  it('two manifests: ranges are left to the reader of versions', () => {
    assert.deepEqual(requested({ text: manifest({ a: '^1.2.0' }) }, { text: manifest({ a: '^2.0.0' }) }), {
      upgrades: [['a', '^1.2.0', '^2.0.0', true]],
      others: [],
    });
  });

  it('more than a report holds are counted', () => {
    const versions = (version: string) =>
      Object.fromEntries(Array.from({ length: MAX_UPGRADES + 7 }, (_, index) => [`p${index}`, version]));
    const read = readUpgrades([{ text: lock(versions('1.0.0')) }, { text: lock(versions('2.0.0')) }]);
    assert.ok('upgrades' in read);
    assert.deepEqual([read.upgrades.length, read.omitted], [MAX_UPGRADES, 7]);
  });

  it('one lockfile: what it names, from the version in use to the newest one', () => {
    const text = lock({ a: '1.4.2', deep: '0.1.0' }, { a: '^1.2.0' });
    assert.deepEqual(requested({ text }), { upgrades: [['a', '1.4.2', 'latest', true]], others: [] });
    const yarn =
      '# yarn lockfile v1\n\na@^1:\n  version "1.0.0"\n\n"b@git+https://x.example/b.git":\n  version "1.0.0"\n';
    assert.deepEqual(requested({ text: yarn }), { upgrades: [['a', '1.0.0', 'latest', null]], others: [] });
  });

  it('what comes from no registry is never asked as the package of that name', () => {
    const tool = (version: string, commit: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { tool: 'git+https://x.example/tool' } },
          'node_modules/tool': { version, resolved: `git+https://x.example/tool#${commit}` },
        },
      });
    const read = requested({ text: tool('1.0.0', 'aaaaaaa') }, { text: tool('2.0.0', 'bbbbbbb') });
    assert.deepEqual(read, { upgrades: [], others: [['tool', 'elsewhere']] });
  });

  const faults: [title: string, text: string, file: number, line: number, problem: RegExp][] = [
    [
      'a comma',
      '{\n  "name": "app",\n  "lockfileVersion": 3\n  "packages": {}\n}',
      0,
      3,
      /a comma is missing after “lockfileVersion”/,
    ],
    ['a comma too many', '{\n  "lockfileVersion": 3,\n}', 0, 3, /a comma too many/],
    ['a colon', '{\n  "lockfileVersion" 3\n}', 0, 2, /a colon is missing after “lockfileVersion”/],
    ['its end', '{\n  "packages": {\n    "a": 1\n', 0, 3, /ends before its last bracket/],
    ['a quote', '{\n  "a": "b\n}', 0, 2, /a text is not closed/],
    ['a merge', '{\n<<<<<<< HEAD\n  "a": 1\n}', 0, 2, /merge conflict/],
    ['TOML', '[[package]]\nname = "a"\nversion = \n', 0, 3, /is not TOML/],
  ];
  for (const [title, text, file, line, problem] of faults) {
    it(`points at the line that lacks ${title}`, () => {
      const read = readUpgrades([{ text }]);
      assert.ok('problem' in read);
      assert.match(read.problem, problem);
      assert.deepEqual([read.file, read.fault?.line], [file, line]);
    });
  }

  const refused: [string, { text: string }[], RegExp][] = [
    ['nothing', [{ text: ' \n' }], /^Nothing was given/],
    ['a text', [{ text: 'dear registry' }], /^This is neither a diff nor one of the files/],
    [
      'a second file that cannot be read',
      [{ text: lock({ a: '1.0.0' }) }, { text: '{' }],
      /^Line 1 is not JSON: the text ends/,
    ],
    ['two kinds', [{ text: lock({ a: '1.0.0' }) }, { text: 'flask==1.0.0' }], /cannot be compared/],
    ['three files', Array.from({ length: 3 }, () => ({ text: manifest({ a: '1.0.0' }) })), /^More than two/],
    ['too much', [{ text: 'x'.repeat(16_777_217) }], /larger than 16 MB/],
  ];
  for (const [title, files, problem] of refused) {
    it(`refuses ${title}`, () => assert.match(String(requested(...files)), problem));
  }
});

describe('a diff and the two files that it is of', () => {
  const v3 = (version: Record<string, string>) =>
    JSON.stringify(
      {
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { 'react-17': `npm:react@${version.alias}`, chalk: `^${version.chalk}`, tool: 'a/b' } },
          'node_modules/react-17': { name: 'react', version: version.alias },
          'node_modules/chalk': { version: version.chalk },
          'node_modules/eslint/node_modules/chalk': { version: '4.1.2' },
          'node_modules/tool': {
            version: version.tool,
            resolved: `git+ssh://git@x.example/tool.git#${version.commit}`,
          },
          'node_modules/send/node_modules/mime': { version: version.mime },
          'node_modules/mime': { version: '2.6.0' },
        },
      },
      null,
      2,
    );
  const old = { alias: '17.0.1', chalk: '4.1.2', tool: '1.0.0', commit: 'aaaaaaa', mime: '1.4.1' };
  const fresh = { alias: '17.0.2', chalk: '5.6.2', tool: '2.0.0', commit: 'bbbbbbb', mime: '1.6.0' };
  const yarn = (version: string) =>
    `# yarn lockfile v1\n\n"debug4@npm:debug@${version}":\n  version "${version}"\n\n"tool@git+https://x.example/tool.git":\n  version "${version}"\n  resolved "git+https://x.example/tool.git#${version === '4.3.0' ? 'aaaaaaa' : 'bbbbbbb'}"\n`;
  const pnpm = (version: string) =>
    `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      debug4:\n        specifier: npm:debug@${version}\n        version: debug@${version}\n\npackages:\n\n  debug@${version}:\n    resolution: {integrity: sha512-a==}\n\n  ms@2.0.0:\n    resolution: {integrity: sha512-a==}\n`;
  const bun = (version: string) =>
    `{\n  "workspaces": {\n    "": {\n      "dependencies": {\n        "ms1": "npm:ms@${version}",\n      },\n    },\n  },\n  "packages": {\n    "ms1": ["ms@${version}", "", {}, "sha512-a"],\n    "ms": ["ms@2.1.3", "", {}, "sha512-a"],\n  },\n}\n`;
  const cases: [filename: string, before: string, after: string][] = [
    ['package-lock.json', v3(old), v3(fresh)],
    ['yarn.lock', yarn('4.3.0'), yarn('4.4.1')],
    ['pnpm-lock.yaml', pnpm('4.3.0'), pnpm('4.4.1')],
    ['bun.lock', bun('2.0.0'), bun('2.1.2')],
    ['requirements.txt', 'Flask==2.0\nb==1\n', 'flask==3.0\nc==1\n'],
  ];
  const moves = (...files: { filename?: string; text: string }[]) => {
    const read = readUpgrades(files);
    assert.ok('upgrades' in read);
    return [...read.upgrades, ...read.others].map(({ name, from, to, source }) => [name, from, to, source]).sort();
  };

  for (const [filename, before, after] of cases) {
    it(`give the same rows: ${filename}`, () => {
      const [was, is] = [before.split('\n'), after.split('\n')];
      const lines = [...was.map((line) => `-${line}`), ...is.map((line) => `+${line}`)];
      const diff = git(filename, `@@ -1,${was.length} +1,${is.length} @@\n${lines.join('\n')}\n`);
      const rows = moves({ filename, text: before }, { filename, text: after });
      assert.ok(rows.length > 0);
      assert.deepEqual(moves({ text: diff }), rows);
    });
  }
});
