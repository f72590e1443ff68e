// Stopping under traffic: a load balancer is warned, and every request gets its response.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { freePort, startRegistry } from '../support/registry-process.ts';
import { assertNothingCutOff, callAcrossStop, DRAIN_MS } from './callers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

forEachEngine('SIGTERM', (engine) => {
  it('to `web --processes 2` reaches all that share the port, and loses no request that has arrived', async () => {
    const port = await freePort();
    const database = await engine.openTestDatabase();
    const env = { ...database, ...DRAIN_MS, REGISTRY_RATE_PUBLIC: '0', REGISTRY_LOG_LEVEL: 'silent' };
    const registry = startRegistry(['web', '--processes', '2', '--port', String(port)], env);
    await registry.printed(/root key .*\n/);
    const client = createClient(`http://127.0.0.1:${port}`);
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.get('/health')));

    await assertNothingCutOff(callAcrossStop(client, () => registry.child.kill('SIGTERM')));
    const { code, signal } = await registry.ended;

    assert.ok(answers.every(({ status }) => status === 200));
    assert.deepEqual([code, signal], [0, null]);
    await assert.rejects(client.get('/health'));
  });

  // Both commands load in the same way, so each is stopped on one engine.
  for (const command of engine.name === 'sqlite' ? ['web'] : ['serve']) {
    it(`to \`${command} --demo\` ends it while the demo loads and /health answers`, async () => {
      const port = await freePort();
      const database = await engine.openTestDatabase();
      const env = { ...database, REGISTRY_LOG_LEVEL: 'silent' };
      const registry = startRegistry([command, '--demo', '--port', String(port)], env);
      await registry.printed(/The registry is empty; loading the demo data\.\n/, 'stderr');

      const client = createClient(`http://127.0.0.1:${port}`);
      const health = await client.get('/health');
      const ready = await client.get('/ready');
      registry.child.kill('SIGTERM');
      const { code, stderr } = await registry.ended;

      assert.deepEqual([health.status, health.body.ok], [200, true]);
      assert.deepEqual([ready.status, ready.body.error.details.reason], [503, 'loading']);
      assert.equal(code, 0);
      assert.match(stderr, /Loading the demo data was stopped/);
      assert.doesNotMatch(stderr, /now holds the demo data/);
    });
  }

  if (engine.name !== 'sqlite') return;

  it('to `npm start` reaches the service, which ends with 0', async () => {
    const port = await freePort();
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const database = await engine.openTestDatabase();
    // The demo is loaded only into an empty registry.
    await createOrg((await engine.openTestApp({ database })).ctx);
    const child = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE,
        ...database,
        REGISTRY_PORT: String(port),
        REGISTRY_EMBEDDER: 'off',
        REGISTRY_DRAIN_MS: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    // The stream closes when the last process that shares it has ended.
    const closed = once(child, 'close');
    for await (const text of child.stdout.setEncoding('utf8')) {
      printed += text;
      if (/root key .*\n/.test(printed)) break;
    }
    child.kill('SIGTERM');
    const [code] = await closed;

    assert.equal(code, 0);
    await assert.rejects(createClient(`http://127.0.0.1:${port}`).get('/health'));
  });
});
