// `registry check` in a project folder, with a package registry on the loopback. No server is asked.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createCli } from '../support/cli.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});

const LAMP: Versions = {
  '1.0.0': types('export declare function on(level?: number): void; export declare function off(): void;'),
  '1.1.0': types('export declare function on(level?: number): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(level?: number): void;'),
};
const QUIET: Versions = {
  '1.0.0': types('export declare const a: number;'),
  '1.0.1': {
    ...types('export declare const a: number;'),
    files: {
      'index.js': '',
      'index.d.ts': 'export declare const a: number;',
      'CHANGELOG.md':
        '# Changelog\n\n## 1.0.1\n\n- Fixed a crash when the list is empty\n\n## 1.0.0\n\n- First release\n',
    },
  },
};

const registry = await startNpmRegistry({ lamp: LAMP, quiet: QUIET, same: { '1.0.0': types('') } });
after(registry.close);
const env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
const cli = await createCli('');

async function project(files: Record<string, string | object>): Promise<string> {
  const folder = await scratchFolder('registry-check-');
  after(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

function lockfile(dependencies: Record<string, string>, installed: Record<string, string>, dev: string[] = []) {
  const entries = Object.entries(installed).map(([name, version]) => [
    `node_modules/${name}`,
    { version, ...(dev.includes(name) ? { dev: true } : {}) },
  ]);
  return { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(entries) } };
}

const folder = await project({
  'package.json': { name: 'house', dependencies: { lamp: '^1.0.0', quiet: '^1.0.0', same: '1.0.0' } },
  'package-lock.json': lockfile(
    { lamp: '^1.0.0', quiet: '^1.0.0', same: '1.0.0' },
    { lamp: '1.0.0', quiet: '1.0.0', same: '1.0.0' },
  ),
});
const run = (...args: string[]) => cli.run(['check', '--folder', folder, ...args], { env });

test('installed versions are compared with the latest ones', async () => {
  const { code, stdout } = await run('--json');
  const report = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.deepEqual(
    report.packages.map((row: Record<string, unknown>) => [row.package, row.from, row.to, row.group, row.reason]),
    [
      ['lamp', '1.0.0', '2.0.0', 'breaks', '`off` is no longer exported'],
      ['quiet', '1.0.0', '1.0.1', 'no_sign', 'No sign of a break in 1 version'],
    ],
  );
  assert.deepEqual([report.project, report.checked, report.current], ['house', 3, 1]);
});

test('the manifest says what is wanted', async () => {
  const { stdout } = await run('--json', '--to', 'wanted');
  const [lamp] = JSON.parse(stdout).packages.filter((row: { package: string }) => row.package === 'lamp');
  assert.equal(lamp.to, '1.1.0');
  // Without notes the package alone is no reason to say that there is no sign of a break.
  assert.deepEqual(
    [lamp.judgement, lamp.reason],
    ['not_known', 'This version has no notes; types and package.json show no break'],
  );
});

test('a check fails from the level that was asked for', async () => {
  assert.equal((await run('--fail-on', 'breaks')).code, 1);
  assert.equal((await run('--fail-on', 'breaks', '--ignore', 'lamp')).code, 0);
  assert.equal((await run('quiet', '--fail-on', 'not_known')).code, 0);
});

test('a registry that cannot be asked makes the report incomplete', async () => {
  const gone = await project({
    'package-lock.json': lockfile({ '@acme/kit': '1' }, { '@acme/kit': '1.0.0' }),
  });
  const { code, stderr } = await cli.run(['check', '--folder', gone], { env });
  assert.equal(code, 3);
  assert.match(stderr, /1 package could not be asked, so this report is not complete: 127\.0\.0\.1:\d+: 404/);
  assert.equal((await cli.run(['check', '--folder', gone, '--allow-incomplete'], { env })).code, 0);
  assert.equal((await cli.run(['check', '--folder', gone, '--offline'], { env })).code, 0);
});

test('on a terminal there is one table by risk', async () => {
  const { stdout } = await cli.run(['check', '--folder', folder, '--no-color'], { env, columns: 100 });
  assert.match(stdout, /^house: 2 of 3 dependencies have newer versions\.\n\n/);
  assert.match(stdout, /◆ {2}lamp {5}1\.0\.0 → 2\.0\.0 {2}off is no longer exported/);
  assert.match(stdout, /✓ 1 shows no sign of a break/);
});

test('a folder without a lockfile is told', async () => {
  const { code, stderr } = await cli.run(['check', '--folder', await project({ 'a.txt': '' })], { env });
  assert.deepEqual([code, /has no lockfile; known are/.test(stderr)], [1, true]);
});
