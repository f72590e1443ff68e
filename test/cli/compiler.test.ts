// The compiler takes half a second and a hundred megabytes to load. Only the thread that compares packages pays for it: no
// start, no page and no question does.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed } from '../../src/domain/archive/archive.fixture.ts';
import { createClient } from '../support/client.ts';
import { freePort, runRegistry, startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

// Writes down on which thread of a process the compiler is loaded.
const PROBE = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
registerHooks({
  load(url, context, nextLoad) {
    if (/node_modules\\/typescript/.test(url)) appendFileSync(process.env.SEEN, isMainThread ? 'main\\n' : 'thread\\n');
    return nextLoad(url, context);
  },
});
`;

async function setUp(t: TestContext) {
  const folder = await scratchFolder('registry-compiler-');
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [probe, seen] = [join(folder, 'probe.mjs'), join(folder, 'seen.txt')];
  await writeFile(probe, PROBE);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(probe).href}`, SEEN: seen, REGISTRY_DATA_DIR: folder };
  const loaded = async () => (existsSync(seen) ? [...new Set((await readFile(seen, 'utf8')).trim().split('\n'))] : []);
  return { folder, env, loaded };
}

test('two packages are compared with the compiler on a thread', async (t) => {
  const { folder, env, loaded } = await setUp(t);
  const archive = (version: string, declared: string) => {
    const manifest = JSON.stringify({ name: 'lamp', version, types: 'index.d.ts' });
    return packed({ 'package.json': manifest, 'index.d.ts': declared });
  };
  const [old, next] = [join(folder, 'old.tgz'), join(folder, 'new.tgz')];
  await writeFile(old, archive('1.0.0', 'export declare const a: 1; export declare const b: 1;'));
  await writeFile(next, archive('1.0.1', 'export declare const b: 1;'));
  const { stdout } = await runRegistry(['compare', old, next], env);
  assert.match(stdout, /`a` is no longer exported/);
  assert.deepEqual(await loaded(), ['thread']);
});

test('a service starts and answers without the compiler', async (t) => {
  const { env, loaded } = await setUp(t);
  const port = await freePort();
  const registry = startRegistry(['serve', '--port', String(port)], { ...env, REGISTRY_LOG_LEVEL: 'warn' });
  t.after(() => registry.child.kill('SIGKILL'));
  await registry.printed(/running at/);
  const client = createClient(`http://127.0.0.1:${port}`);
  const range = 'ecosystem=npm&package=lamp&from=1.0.0&to=1.0.1';
  const paths = [
    '/',
    '/whats-changed',
    `/whats-changed?${range}`,
    `/v1/whats-changed?${range}`,
    '/v1/packages/npm/lamp/compare?from=1.0.0&to=1.0.1',
    '/packages/npm/lamp',
    '/admin/packages',
    '/v1/openapi.json',
  ];
  for (const path of paths) assert.ok((await client.get(path)).status < 500, path);
  registry.child.kill('SIGTERM');
  await registry.ended;
  assert.deepEqual(await loaded(), []);
});
