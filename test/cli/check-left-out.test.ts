// `registry check` skips nothing silently: what it did not look at is counted in its first sentence, in every form.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const version = (types: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': types },
});
const LAMP: Versions = {
  '1.0.0': version('export declare function on(): void; export declare function off(): void;'),
  '1.5.0': version('export declare function on(): void; export declare function off(): void;'),
  '2.0.0': version('export declare function on(): void;'),
};
const SAME: Versions = { '1.0.0': version('export declare const a: number;') };

type Files = Record<string, string | object>;

describe('registry check looks at everything, or says what it did not', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Awaited<ReturnType<typeof createCli>>;
  let env: Record<string, string>;

  async function project(files: Files): Promise<string> {
    const folder = await scratchFolder('registry-left-out-');
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
    }
    return folder;
  }
  const locked = (manifest: object, entries: Record<string, object>): Files => ({
    'package.json': manifest,
    'package-lock.json': {
      lockfileVersion: 3,
      packages: {
        '': manifest,
        ...Object.fromEntries(Object.entries(entries).map(([name, entry]) => [`node_modules/${name}`, entry])),
      },
    },
  });
  const check = (folder: string, ...args: string[]) => cli.run(['check', '--folder', folder, ...args], { env });

  before(async () => {
    registry = await startNpmRegistry({ lamp: LAMP, same: SAME, plug: LAMP, wire: SAME });
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
    cli = await createCli('');
  });
  after(() => registry.close());

  it('what was left out is counted in the first sentence, wherever it stands', async () => {
    const manifest = {
      name: 'house',
      dependencies: { same: '1.0.0' },
      devDependencies: { lamp: '1.0.0', plug: '1.0.0' },
      optionalDependencies: { wire: '1.0.0' },
    };
    const folder = await project(
      locked(manifest, {
        same: { version: '1.0.0' },
        lamp: { version: '1.0.0', dev: true },
        plug: { version: '1.0.0', dev: true },
        wire: { version: '1.0.0', optional: true },
        below: { version: '1.0.0' },
      }),
    );
    const left = '2 development dependencies and 1 optional dependency were not looked at: --include dev,optional';
    const text = await check(folder);
    assert.equal(text.stdout.split('\n')[0], `house: 1 dependency at its latest version; ${left}.`);
    assert.match(text.stderr, /1 package that only another needs was not looked at: --indirect/);
    const data = JSON.parse((await check(folder, '--json')).stdout);
    assert.equal(data.summary, `No package goes to a higher version; ${left}`);
    assert.deepEqual([data.notLookedAt, data.only], [{ dev: 2, optional: 1, indirect: 1 }, null]);
    assert.ok((await check(folder, '--md')).stdout.includes(`### No package goes to a higher version; ${left}`));
    const [{ invocations }] = JSON.parse((await check(folder, '--sarif')).stdout).runs;
    assert.deepEqual(
      invocations[0].toolExecutionNotifications.map(({ message }: { message: { text: string } }) => message.text)[0],
      left,
    );
    const all = await check(folder, '--include', 'dev,optional');
    assert.match(all.stdout, /^house: 2 of 4 dependencies have newer versions\.\n/);
  });

  it('a project with nothing but development dependencies is checked with them', async () => {
    const manifest = { name: 'tool', devDependencies: { lamp: '1.0.0', same: '1.0.0' } };
    const folder = await project(
      locked(manifest, { lamp: { version: '1.0.0', dev: true }, same: { version: '1.0.0', dev: true } }),
    );
    const { stdout } = await check(folder);
    assert.match(stdout, /^tool: 1 of 2 development dependencies has a newer version\.\n/);
    assert.match(stdout, /lamp/);
  });

  it('without a lockfile the manifest and what is installed are read', async () => {
    const folder = await project({
      'package.json': {
        name: 'free',
        workspaces: ['rooms/*'],
        dependencies: { lamp: '^1.0.0', plug: '>=1.5.0 <3', own: '^1.0.0', any: '*' },
        peerDependencies: { wire: '>=1' },
      },
      'rooms/bath/package.json': { name: 'own', version: '1.0.0', dependencies: { lamp: '^1.0.0' } },
      'rooms/bath/node_modules/lamp/package.json': { name: 'lamp', version: '1.0.0' },
      'node_modules/lamp/package.json': { name: 'lamp', version: '1.5.0' },
    });
    const { code, stdout } = await check(folder, '--json');
    assert.equal(code, 0);
    const report = JSON.parse(stdout);
    assert.equal(report.lockfile, 'package.json');
    assert.deepEqual(
      report.packages.map((row: Record<string, unknown>) => [row.package, row.from, row.to, row.workspaces]),
      [
        ['lamp', '1.0.0', '2.0.0', ['rooms/bath']],
        ['lamp', '1.5.0', '2.0.0', []],
        ['plug', '1.5.0', '2.0.0', []],
      ],
    );
    assert.deepEqual(report.leftOut, [
      'there is no lockfile, and 1 dependency is not installed: taken in the lowest version that package.json allows',
      'no version is known of 1 dependency',
    ]);
  });

  it('a package that is named and not there is an error with a hint', async () => {
    const manifest = { name: 'house', dependencies: { lamp: '1.0.0' } };
    const folder = await project({ ...locked(manifest, { lamp: { version: '1.0.0' } }), 'lib/a.js': '' });
    const cases: [args: string[], said: RegExp][] = [
      [['lammp'], /lammp is not in package-lock\.json of .*; did you mean lamp\?/],
      [
        ['nothing-like-it'],
        /nothing-like-it is not in package-lock\.json of .*; all that it names: registry check --indirect/,
      ],
      [['lamp@9.0.0'], /lamp has no version 9\.0\.0; its latest is 2\.0\.0/],
      [['lamp@nxt'], /lamp has no version or tag nxt; its tags are latest, previous/],
      [['./lib'], /\.\/lib is no package of this project; to check a folder: registry check --folder \.\/lib/],
      [[folder], /is no package of this project; to check a folder: registry check --folder /],
    ];
    for (const [args, said] of cases) {
      const { code, stdout, stderr } = await check(folder, ...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, said);
    }
    for (const version of ['1.5.0', 'previous']) {
      const { stdout } = await check(folder, `lamp@${version}`, '--json');
      assert.deepEqual(
        JSON.parse(stdout).packages.map(({ to }: { to: string }) => to),
        ['1.5.0'],
      );
    }
    const nowhere = await check(join(folder, 'nowhere'));
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /there is no folder .*nowhere/);
    const empty = await check(join(folder, 'lib'));
    assert.equal(empty.code, 1);
    assert.match(
      empty.stderr,
      /has neither a package\.json nor a lockfile; known are .*Another folder: --folder <path>/,
    );
  });

  it('scripts without an extension are read, and what a program has written is told apart', async () => {
    const call = "const { off } = require('lamp');\noff();\n";
    const manifest = { name: 'house', bin: { house: './bin/named' }, dependencies: { lamp: '1.0.0' } };
    const files = locked(manifest, { lamp: { version: '1.0.0' } });
    const useIn = async (more: Files) => {
      const { stdout } = await check(await project({ ...files, ...more }), '--json');
      const [row] = JSON.parse(stdout).packages;
      const [place] = row.use.places;
      return [row.use.use, place?.file ?? null, row.use.generated?.file ?? null];
    };
    assert.deepEqual(await useIn({ 'bin/www': `#!/usr/bin/env node\n${call}` }), ['used', 'bin/www', null]);
    assert.deepEqual(await useIn({ 'bin/named': call }), ['used', 'bin/named', null]);
    assert.deepEqual(await useIn({ LICENSE: call }), ['unclear', null, null]);
    assert.deepEqual(await useIn({ 'gen.js': `// @generated\n${call}` }), ['unclear', null, 'gen.js']);
  });
});
