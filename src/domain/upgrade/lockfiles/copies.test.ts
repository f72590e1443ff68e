// What each format tells of a copy beside its version: who names it, who needs it, where it comes from.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLockfile } from './index.ts';
import type { ProjectManifest } from './read.ts';

const ROOT = JSON.stringify({
  name: 'app',
  workspaces: ['packages/*'],
  dependencies: { debug: '2.6.9', debug4: 'npm:debug@4.4.1', lib: 'file:./lib', tool: 'git+https://x.example/tool#v1' },
  devDependencies: { rimraf: '3.0.2' },
});
const WORKSPACE = JSON.stringify({
  name: '@ws/b',
  dependencies: { '@ws/a': '1.0.0' },
  devDependencies: { ms: '2.0.0' },
});
const NPM_MANIFESTS: ProjectManifest[] = [
  { path: 'package.json', text: ROOT },
  { path: 'packages/b/package.json', text: WORKSPACE },
  { path: 'lib/package.json', text: '{"name":"lib","version":"1.5.0"}' },
];

// name, version, direct, dev, source, further names
type Told = [string, string, boolean | null, boolean | null, string, ...string[]];

function told(filename: string, text: string, manifests: ProjectManifest[] = []): Told[] | undefined {
  return readLockfile({ filename, text, manifests })?.packages.map(
    ({ name, version, direct, dev, source, as }): Told => [name, version, direct, dev, source, ...as],
  );
}

const COMMIT = '5cb8eda4fc4997e1e1287bbe1d650ab8fe1e8f52';

const EXPECTED: Told[] = [
  ['debug', '2.6.9', true, false, 'registry'],
  ['debug', '4.4.1', true, false, 'registry', 'debug4'],
  ['glob', '7.2.3', false, true, 'registry'],
  ['lib', '1.5.0', true, false, 'file'],
  ['ms', '2.0.0', true, false, 'registry'],
  ['ms', '2.1.3', false, false, 'registry'],
  ['rimraf', '3.0.2', true, true, 'registry'],
  ['tool', '1.0.0', true, false, 'git'],
];

const V3 = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': JSON.parse(ROOT),
    lib: { name: 'lib', version: '1.5.0' },
    'packages/b': JSON.parse(WORKSPACE),
    'node_modules/@ws/b': { resolved: 'packages/b', link: true },
    'node_modules/debug': { version: '2.6.9' },
    'node_modules/debug4': { name: 'debug', version: '4.4.1' },
    'node_modules/debug4/node_modules/ms': { version: '2.1.3' },
    'node_modules/glob': { version: '7.2.3', dev: true },
    'node_modules/lib': { resolved: 'lib', link: true },
    'node_modules/ms': { version: '2.0.0' },
    'node_modules/rimraf': { version: '3.0.2', dev: true },
    'node_modules/tool': { version: '1.0.0', resolved: `git+ssh://git@x.example/tool.git#${COMMIT}` },
  },
});

const YARN_1 = `# yarn lockfile v1

debug@2.6.9:
  version "2.6.9"
  dependencies:
    ms "2.0.0"

"debug4@npm:debug@4.4.1":
  version "4.4.1"
  dependencies:
    ms "^2.1.3"

glob@^7.1.3:
  version "7.2.3"

"lib@file:./lib":
  version "1.5.0"

ms@2.0.0:
  version "2.0.0"

ms@^2.1.3:
  version "2.1.3"

rimraf@3.0.2:
  version "3.0.2"
  dependencies:
    glob "^7.1.3"

"tool@git+https://x.example/tool#v1":
  version "1.0.0"
  resolved "git+https://x.example/tool#${COMMIT}"
`;

const BERRY = `__metadata:
  version: 8

"@ws/b@workspace:packages/b":
  version: 0.0.0-use.local
  resolution: "@ws/b@workspace:packages/b"
  dependencies:
    ms: "npm:2.0.0"
  linkType: soft

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  dependencies:
    debug: "npm:2.6.9"
    debug4: "npm:debug@4.4.1"
    lib: "file:./lib"
    rimraf: "npm:3.0.2"
    tool: "git+https://x.example/tool#v1"
  linkType: soft

"debug@npm:2.6.9":
  version: 2.6.9
  resolution: "debug@npm:2.6.9"
  dependencies:
    ms: "npm:2.0.0"

"debug4@npm:debug@4.4.1":
  version: 4.4.1
  resolution: "debug@npm:4.4.1"
  dependencies:
    ms: "npm:^2.1.3"

"glob@npm:^7.1.3":
  version: 7.2.3
  resolution: "glob@npm:7.2.3"

"lib@file:./lib::locator=app%40workspace%3A.":
  version: 1.5.0
  resolution: "lib@file:./lib#./lib::hash=dab977&locator=app%40workspace%3A."

"ms@npm:2.0.0":
  version: 2.0.0
  resolution: "ms@npm:2.0.0"

"ms@npm:^2.1.3":
  version: 2.1.3
  resolution: "ms@npm:2.1.3"

"rimraf@npm:3.0.2":
  version: 3.0.2
  resolution: "rimraf@npm:3.0.2"
  dependencies:
    glob: "npm:^7.1.3"

"tool@git+https://x.example/tool#v1":
  version: 1.0.0
  resolution: "tool@https://x.example/tool.git#commit=${COMMIT}"
`;

const PNPM_9 = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      debug:
        specifier: 2.6.9
        version: 2.6.9
      debug4:
        specifier: npm:debug@4.4.1
        version: debug@4.4.1
      lib:
        specifier: file:./lib
        version: file:lib
      tool:
        specifier: git+https://x.example/tool#v1
        version: git+https://x.example/tool#${COMMIT}
    devDependencies:
      rimraf:
        specifier: 3.0.2
        version: 3.0.2(glob@7.2.3)

  packages/b:
    dependencies:
      '@ws/a':
        specifier: workspace:*
        version: link:../a
    devDependencies:
      ms:
        specifier: 2.0.0
        version: 2.0.0

  packages/a: {}

packages:

  debug@2.6.9:
    resolution: {integrity: sha512-a==}

  debug@4.4.1:
    resolution: {integrity: sha512-a==}

  glob@7.2.3:
    resolution: {integrity: sha512-a==}

  lib@file:lib:
    resolution: {directory: lib, type: directory}

  ms@2.0.0:
    resolution: {integrity: sha512-a==}

  ms@2.1.3:
    resolution: {integrity: sha512-a==}

  rimraf@3.0.2:
    resolution: {integrity: sha512-a==}

  tool@git+https://x.example/tool#${COMMIT}:
    resolution: {commit: ${COMMIT}, repo: https://x.example/tool, type: git}
    version: 1.0.0

snapshots:

  debug@2.6.9:
    dependencies:
      ms: 2.0.0

  debug@4.4.1:
    dependencies:
      ms: 2.1.3

  glob@7.2.3: {}

  lib@file:lib: {}

  ms@2.0.0: {}

  ms@2.1.3: {}

  rimraf@3.0.2(glob@7.2.3):
    dependencies:
      glob: 7.2.3

  tool@git+https://x.example/tool#${COMMIT}: {}
`;

const PNPM_5 = `lockfileVersion: 5.4

importers:

  .:
    specifiers:
      debug: 2.6.9
    dependencies:
      debug: 2.6.9
      debug4: /debug/4.4.1
      lib: file:lib
      tool: x.example/tool/${COMMIT}
    devDependencies:
      rimraf: 3.0.2

  packages/b:
    specifiers:
      ms: 2.0.0
    devDependencies:
      ms: 2.0.0

packages:

  /debug/2.6.9:
    resolution: {integrity: sha512-a==}
    dependencies:
      ms: 2.0.0
    dev: false

  /debug/4.4.1:
    resolution: {integrity: sha512-a==}
    dev: false

  /glob/7.2.3:
    resolution: {integrity: sha512-a==}
    dev: true

  file:lib:
    resolution: {directory: lib, type: directory}
    name: lib
    version: 1.5.0
    dev: false

  /ms/2.0.0:
    resolution: {integrity: sha512-a==}
    dev: false

  /ms/2.1.3:
    resolution: {integrity: sha512-a==}
    dev: false

  /rimraf/3.0.2:
    resolution: {integrity: sha512-a==}
    dev: true

  x.example/tool/${COMMIT}:
    resolution: {commit: ${COMMIT}, repo: https://x.example/tool, type: git}
    name: tool
    version: 1.0.0
    dev: false
`;

const BUN = JSON.stringify({
  lockfileVersion: 1,
  workspaces: { '': JSON.parse(ROOT), 'packages/b': JSON.parse(WORKSPACE) },
  packages: {
    '@ws/b': ['@ws/b@workspace:packages/b'],
    debug: ['debug@2.6.9', '', { dependencies: { ms: '2.0.0' } }, 'sha512-a'],
    debug4: ['debug@4.4.1', '', { dependencies: { ms: '^2.1.3' } }, 'sha512-a'],
    glob: ['glob@7.2.3', '', {}, 'sha512-a'],
    lib: ['lib@file:lib', {}],
    ms: ['ms@2.0.0', '', {}, 'sha512-a'],
    'debug4/ms': ['ms@2.1.3', '', {}, 'sha512-a'],
    rimraf: ['rimraf@3.0.2', '', { dependencies: { glob: '^7.1.3' } }, 'sha512-a'],
    tool: [`tool@git+https://x.example/tool#${COMMIT}`, {}, COMMIT],
  },
});

describe('what a lockfile tells of a copy', () => {
  const ofNpm: [filename: string, text: string, title: string][] = [
    ['package-lock.json', V3, 'by folder'],
    ['yarn.lock', YARN_1, 'of Yarn 1 with its manifests'],
    ['yarn.lock', BERRY, 'of later Yarn with its manifests'],
    ['pnpm-lock.yaml', PNPM_9, 'of pnpm 9'],
    ['pnpm-lock.yaml', PNPM_5, 'of pnpm 7'],
    ['bun.lock', BUN, 'of Bun'],
  ];
  for (const [filename, text, title] of ofNpm) {
    it(`${filename} ${title}`, () => {
      const found = told(filename, text, NPM_MANIFESTS)?.map((row) =>
        // Bun names the commit alone.
        row[0] === 'tool' ? row.with(1, row[1].replace(/^5cb8eda4fc49$/, '1.0.0')) : row,
      );
      assert.deepEqual(found?.sort(), EXPECTED);
    });
  }

  it('nobody knows what is direct by a yarn.lock of Yarn 1 or a poetry.lock alone', () => {
    assert.deepEqual(new Set(told('yarn.lock', YARN_1)?.map(([, , direct]) => direct)), new Set([null]));
    assert.deepEqual(told('poetry.lock', '[[package]]\nname = "a"\nversion = "1.0"\n'), [
      ['a', '1.0', null, null, 'registry'],
    ]);
  });

  it('package-lock.json of npm 6, with the manifest beside it', () => {
    const text = JSON.stringify({
      lockfileVersion: 1,
      dependencies: {
        debug: { version: '2.6.9', requires: { ms: '2.0.0' }, dependencies: { ms: { version: '2.0.0' } } },
        lib: { version: 'file:lib' },
        rimraf: { version: '3.0.2', dev: true },
        tool: { version: `git+https://x.example/tool#${COMMIT}`, from: 'git+https://x.example/tool#v1' },
      },
    });
    assert.deepEqual(told('package-lock.json', text, NPM_MANIFESTS), [
      ['debug', '2.6.9', true, false, 'registry'],
      ['lib', '1.5.0', true, false, 'file'],
      ['rimraf', '3.0.2', true, true, 'registry'],
      ['tool', COMMIT.slice(0, 12), true, false, 'git'],
      ['ms', '2.0.0', false, false, 'registry'],
    ]);
  });

  it('archives: those of a registry are of a registry, those of code hosts and sites are not', () => {
    const packages = {
      '': { dependencies: { url: '*', site: '*', hub: '*', kept: '*' } },
      'node_modules/url': { version: '1.0.0', resolved: 'https://registry.example/url/-/url-1.0.0.tgz' },
      'node_modules/site': { version: '1.0.0', resolved: 'https://site.example/site.tgz' },
      'node_modules/hub': { version: '1.0.0', resolved: `https://codeload.github.com/a/b/tar.gz/${COMMIT}` },
      'node_modules/kept': { version: '1.0.0', resolved: 'https://npm.pkg.github.com/download/@a/kept/1.0.0/ff' },
    };
    assert.deepEqual(
      told('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))?.map(([name, , , , source]) => [
        name,
        source,
      ]),
      [
        ['url', 'registry'],
        ['site', 'url'],
        ['hub', 'git'],
        ['kept', 'registry'],
      ],
    );
  });

  it('uv.lock: groups, extras, forks, folders and repositories', () => {
    const text = `[manifest]
members = ["app", "member"]
[[package]]
name = "app"
version = "0.1.0"
source = { editable = "." }
dependencies = [{ name = "django" }, { name = "numpy", version = "2.2.5" }, { name = "mylib" }, { name = "side" }]
[package.optional-dependencies]
cli = [{ name = "click" }]
[package.dev-dependencies]
dev = [{ name = "pytest" }]
[[package]]
name = "member"
version = "0.1.0"
source = { editable = "packages/member" }
dependencies = [{ name = "numpy", version = "1.26.4" }]
${[
  ['django', '5.2.1', 'registry = "https://pypi.org/simple"'],
  ['numpy', '1.26.4', 'registry = "https://pypi.org/simple"'],
  ['numpy', '2.2.5', 'registry = "https://pypi.org/simple"'],
  ['mylib', '2.0.0', 'git = "https://x.example/mylib?rev=b#bbbb"'],
  ['side', '0.3.0', 'directory = "../side"'],
  ['click', '8.1.0', 'registry = "https://pypi.org/simple"'],
  ['tomli', '2.0.1', 'registry = "https://pypi.org/simple"'],
]
  .map(([name, version, source]) => `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { ${source} }\n`)
  .join('')}[[package]]
name = "pytest"
version = "8.3.5"
dependencies = [{ name = "tomli" }]
`;
    assert.deepEqual(told('uv.lock', text), [
      ['django', '5.2.1', true, false, 'registry'],
      ['numpy', '1.26.4', true, false, 'registry'],
      ['numpy', '2.2.5', true, false, 'registry'],
      ['mylib', '2.0.0', true, false, 'git'],
      ['side', '0.3.0', true, false, 'file'],
      ['click', '8.1.0', true, false, 'registry'],
      ['tomli', '2.0.1', false, true, 'registry'],
      ['pytest', '8.3.5', true, true, 'registry'],
    ]);
  });

  it('poetry.lock: groups of the file, direct dependencies of the manifest', () => {
    const text = `# generated by Poetry 2.1.0
[[package]]
name = "Flask"
version = "3.0.0"
groups = ["main"]
[package.dependencies]
Werkzeug = ">=3"
[[package]]
name = "pytest"
version = "8.0.0"
groups = ["dev"]
[[package]]
name = "werkzeug"
version = "3.0.1"
groups = ["main", "dev"]
[[package]]
name = "tool"
version = "1.0.0"
groups = ["main"]
[package.source]
type = "git"
url = "https://x.example/tool"
reference = "main"
resolved_reference = "${COMMIT}"
`;
    const manifest = `[tool.poetry.dependencies]
python = "^3.11"
flask = "^3"
tool = { git = "https://x.example/tool" }
[tool.poetry.group.dev.dependencies]
pytest = "*"
`;
    assert.deepEqual(told('poetry.lock', text, [{ path: 'pyproject.toml', text: manifest }]), [
      ['Flask', '3.0.0', true, false, 'registry', 'flask'],
      ['pytest', '8.0.0', true, true, 'registry'],
      ['werkzeug', '3.0.1', false, false, 'registry'],
      ['tool', '1.0.0', true, false, 'git'],
    ]);
  });

  it('pdm.lock', () => {
    const text = `[metadata]
groups = ["default", "test"]
lock_version = "4.5.0"
[[package]]
name = "requests"
version = "2.32.0"
groups = ["default"]
dependencies = ["idna<4,>=2.5"]
[[package]]
name = "idna"
version = "3.7"
groups = ["default", "test"]
[[package]]
name = "pytest"
version = "8.0.0"
groups = ["test"]
[[package]]
name = "tool"
version = "1.0.0"
git = "https://x.example/tool"
revision = "${COMMIT}"
groups = ["default"]
`;
    const manifest =
      '[project]\nname = "app"\ndependencies = ["requests[socks]>=2"]\n[dependency-groups]\ntest = ["pytest"]\n';
    assert.deepEqual(told('pdm.lock', text, [{ path: 'pyproject.toml', text: manifest }]), [
      ['requests', '2.32.0', true, false, 'registry'],
      ['idna', '3.7', false, false, 'registry'],
      ['pytest', '8.0.0', true, true, 'registry'],
      ['tool', '1.0.0', false, false, 'git'],
    ]);
    assert.equal(readLockfile({ text })?.format, 'pdm.lock');
  });

  it('requirements.txt: who asks for a package, where pip-compile notes it', () => {
    const text = `flask==3.0.0
    # via -r requirements.in
werkzeug==3.0.1 \\
    --hash=sha256:aa
    # via
    #   flask
    #   other
click==8.1.0  # via flask
-e git+https://x.example/tool@${COMMIT}#egg=tool
lib @ file:///srv/lib
`;
    assert.deepEqual(told('requirements.txt', text), [
      ['flask', '3.0.0', true, null, 'registry'],
      ['werkzeug', '3.0.1', false, null, 'registry'],
      ['click', '8.1.0', false, null, 'registry'],
      ['tool', COMMIT.slice(0, 12), true, null, 'git'],
      ['lib', 'file:///srv/lib', true, null, 'file'],
    ]);
  });
});
