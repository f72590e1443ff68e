// `registry check` with every kind of lockfile, alone and against the commit before, with registries on the loopback.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const LAMP: Versions = {
  '1.0.0': types('export declare function on(): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(): void;'),
};
const SAME: Versions = { '1.0.0': types('export declare const a: number;') };

const PYPI: Record<string, string[]> = { lamp: ['1.0.0', '2.0.0'], same: ['1.0.0'] };
const pypiDocument = (name: string, versions: readonly string[]) => ({
  info: { name, version: versions.at(-1) },
  releases: Object.fromEntries(
    versions.map((version) => [
      version,
      [
        {
          packagetype: 'bdist_wheel',
          url: `https://files.pythonhosted.org/${name}-${version}.whl`,
          upload_time_iso_8601: '2026-01-01T00:00:00Z',
          yanked: false,
        },
      ],
    ]),
  ),
});

const MANIFEST = JSON.stringify({ name: 'house', dependencies: { lamp: '^1.0.0', same: '^1.0.0' } });
const PROJECT = '[project]\nname = "house"\nversion = "1.0.0"\ndependencies = ["lamp>=1", "same"]\n';
const POETRY = '[tool.poetry]\nname = "house"\n\n[tool.poetry.dependencies]\nlamp = "^1.0"\nsame = "*"\n';

interface Kind {
  file: string;
  manifest: readonly [path: string, text: string];
  // The lockfile with a version of lamp.
  text(lamp: string): string;
}

const NPM: readonly [string, string] = ['package.json', MANIFEST];
const npmLock = (lamp: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { lamp: '^1.0.0', same: '^1.0.0' } },
      'node_modules/lamp': { version: lamp },
      'node_modules/same': { version: '1.0.0' },
    },
  });
const pythonLock = (lamp: string) =>
  `[[package]]\nname = "lamp"\nversion = "${lamp}"\n\n[[package]]\nname = "same"\nversion = "1.0.0"\n`;

const KINDS: readonly Kind[] = [
  { file: 'package-lock.json', manifest: NPM, text: npmLock },
  { file: 'npm-shrinkwrap.json', manifest: NPM, text: npmLock },
  {
    file: 'pnpm-lock.yaml',
    manifest: NPM,
    text: (lamp) => `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      lamp:
        specifier: ^1.0.0
        version: ${lamp}
      same:
        specifier: ^1.0.0
        version: 1.0.0

packages:

  lamp@${lamp}:
    resolution: {integrity: sha512-a}

  same@1.0.0:
    resolution: {integrity: sha512-b}

snapshots:

  lamp@${lamp}: {}

  same@1.0.0: {}
`,
  },
  {
    file: 'yarn.lock',
    manifest: NPM,
    text: (lamp) =>
      `# yarn lockfile v1\n\n\nlamp@^1.0.0:\n  version "${lamp}"\n  integrity sha512-a\n\nsame@^1.0.0:\n  version "1.0.0"\n`,
  },
  {
    file: 'yarn.lock',
    manifest: NPM,
    text: (lamp) => `__metadata:
  version: 8

"house@workspace:.":
  version: 0.0.0-use.local
  resolution: "house@workspace:."
  dependencies:
    lamp: "npm:^1.0.0"
    same: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"lamp@npm:^1.0.0":
  version: ${lamp}
  resolution: "lamp@npm:${lamp}"
  languageName: node
  linkType: hard

"same@npm:^1.0.0":
  version: 1.0.0
  resolution: "same@npm:1.0.0"
  languageName: node
  linkType: hard
`,
  },
  {
    file: 'bun.lock',
    manifest: NPM,
    text: (lamp) => `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "house", "dependencies": { "lamp": "^1.0.0", "same": "^1.0.0", }, },
  },
  "packages": {
    "lamp": ["lamp@${lamp}", "", {}, "sha512-a"],
    "same": ["same@1.0.0", "", {}, "sha512-b"],
  }
}
`,
  },
  {
    file: 'uv.lock',
    manifest: ['pyproject.toml', PROJECT],
    text: (lamp) => `version = 1

[[package]]
name = "house"
version = "1.0.0"
source = { virtual = "." }
dependencies = [
    { name = "lamp" },
    { name = "same" },
]

[[package]]
name = "lamp"
version = "${lamp}"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "same"
version = "1.0.0"
source = { registry = "https://pypi.org/simple" }
`,
  },
  { file: 'poetry.lock', manifest: ['pyproject.toml', POETRY], text: pythonLock },
  { file: 'pdm.lock', manifest: ['pyproject.toml', PROJECT], text: pythonLock },
  { file: 'requirements.txt', manifest: ['setup.cfg', ''], text: (lamp) => `lamp==${lamp}\nsame==1.0.0\n` },
];

type Row = Record<string, unknown> & { use?: { use: string; places: { file: string; line: number }[] } };

describe('registry check with each kind of lockfile', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let env: Record<string, string>;
  const folders: string[] = [];

  before(async () => {
    registry = await startNpmRegistry(
      { lamp: LAMP, same: SAME },
      {
        before(request, response) {
          const name = /^\/pypi\/([^/]+)\/json$/.exec(request.url ?? '')?.[1];
          if (name === undefined) return false;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(pypiDocument(name, PYPI[name] ?? [])));
          return true;
        },
      },
    );
    env = {
      REGISTRY_API_URL: '',
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_PYPI_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
    };
    cli = await createCli('');
  });
  after(async () => {
    registry.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function repository(files: Record<string, string>) {
    const folder = await scratchFolder('registry-check-kinds-');
    folders.push(folder);
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    for (const [path, text] of Object.entries(files)) await put(path, text);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args]);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    const check = async (...args: string[]): Promise<Row[]> => {
      const { stdout, stderr } = await cli.run(['check', '--folder', folder, '--json', ...args], { env });
      assert.ok(stdout !== '', stderr);
      return JSON.parse(stdout).packages;
    };
    return { put, check };
  }

  for (const [at, { file, manifest, text }] of KINDS.entries()) {
    it(`${file}, form ${at + 1}`, async () => {
      const isNpm = manifest[0] === 'package.json';
      const { put, check } = await repository({
        [file]: text('1.0.0'),
        [manifest[0]]: manifest[1],
        'a.ts': `import { off } from 'lamp';\noff();\n`,
        'a.py': 'import lamp\nlamp.off()\n',
      });
      const said = (rows: readonly Row[]) =>
        rows.map((row) => [row.ecosystem, row.package, row.from, row.to, row.group, row.use?.places[0]?.line]);
      const expected = isNpm
        ? [['npm', 'lamp', '1.0.0', '2.0.0', 'breaks_used', 2]]
        : [['pypi', 'lamp', '1.0.0', '2.0.0', 'not_known', undefined]];
      assert.deepEqual(said(await check()), expected);
      assert.deepEqual(await check('--base', 'HEAD'), []);
      await put(file, text('2.0.0'));
      assert.deepEqual(said(await check('--base', 'HEAD')), expected);
      assert.deepEqual(await check(), []);
    });
  }

  it('folders, links, repositories and other names of one project', async () => {
    const dependencies = {
      bulb: 'npm:lamp@^1.0.0',
      own: 'file:lib/own',
      tool: 'git+https://git.example/tool.git#v1',
    };
    const lock = (version: string, commit: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { name: 'house', workspaces: ['rooms/*'], dependencies },
          'rooms/bath': { name: 'bath', dependencies: { lamp: '^1.0.0' } },
          'lib/own': { name: 'own', version },
          'node_modules/own': { resolved: 'lib/own', link: true },
          'node_modules/bath': { resolved: 'rooms/bath', link: true },
          'node_modules/bulb': { name: 'lamp', version },
          'node_modules/lamp': { version: '1.0.0' },
          'node_modules/tool': { version: '1.0.0', resolved: `git+ssh://git@git.example/tool.git#${commit}` },
        },
      });
    const { put, check } = await repository({
      'package.json': JSON.stringify({ name: 'house', workspaces: ['rooms/*'], dependencies }),
      'rooms/bath/package.json': JSON.stringify({ name: 'bath', dependencies: { lamp: '^1.0.0' } }),
      'lib/own/package.json': JSON.stringify({ name: 'own', version: '1.0.0' }),
      'package-lock.json': lock('1.0.0', 'a'.repeat(40)),
      'a.ts': `import { off } from 'bulb';\noff();\n`,
    });
    const seen = registry.seen.length;
    const rows = await check();
    assert.deepEqual(
      rows.map((row) => [row.package, row.from, row.to, row.group, row.as, row.workspaces]),
      [
        ['lamp', '1.0.0', '2.0.0', 'breaks_used', ['bulb'], ['rooms/bath']],
        ['own', '1.0.0', '1.0.0', 'elsewhere', [], []],
        ['tool', '1.0.0', '1.0.0', 'elsewhere', [], []],
      ],
    );
    await put('lib/own/package.json', JSON.stringify({ name: 'own', version: '2.0.0' }));
    await put('package-lock.json', lock('2.0.0', 'b'.repeat(40)));
    const changed = await check('--base', 'HEAD');
    assert.deepEqual(
      changed.map((row) => [row.package, row.from, row.to, row.group, row.as]),
      [
        ['lamp', '1.0.0', '2.0.0', 'breaks_used', ['bulb']],
        ['own', '1.0.0', '2.0.0', 'elsewhere', []],
        ['tool', '1.0.0', '1.0.0', 'elsewhere', []],
      ],
    );
    const asked = registry.seen.slice(seen).map(({ path }) => path);
    assert.deepEqual(
      asked.filter((path) => /own|tool|bath|bulb/.test(path)),
      [],
    );
  });
});
