// Stopping under traffic: a load balancer sees it coming, and nobody is left without an answer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg } from '../support/factories.ts';
import { freePort, startRegistry } from '../support/registry-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CALLERS = 4;
// Sent after the stop was announced: the listener is still open.
const LATE_REQUESTS = 3;

// What a load balancer does: it sends requests, looks at /ready, and goes elsewhere soon after that says so.
async function callAcrossStop(client: Client): Promise<{ statuses: number[]; reason: string }> {
  const statuses: number[] = [];
  for (let n = 0; ; n += 1) {
    statuses.push((await client.get(`/v1/orgs?n=${n}`)).status);
    const ready = await client.get('/ready');
    if (ready.status === 200) continue;
    for (let late = 0; late < LATE_REQUESTS; late += 1) statuses.push((await client.get('/v1/stats')).status);
    return { statuses, reason: ready.body.error.details.reason };
  }
}

forEachEngine('SIGTERM', (engine) => {
  for (const args of [['serve'], ['web', '--processes', '2']]) {
    it(`to \`${args.join(' ')}\` loses no request that has arrived`, async () => {
      const port = await freePort();
      const database = await engine.openTestDatabase();
      const env = { ...database, REGISTRY_RATE_PUBLIC: '0', REGISTRY_LOG_LEVEL: 'silent', REGISTRY_DRAIN_MS: '4000' };
      const registry = startRegistry([...args, '--port', String(port)], env);
      await registry.printed(/root key .*\n/);
      const client = createClient(`http://127.0.0.1:${port}`);

      const callers = Array.from({ length: CALLERS }, () => callAcrossStop(client));
      await client.get('/v1/orgs');
      registry.child.kill('SIGTERM');
      const seen = await Promise.all(callers);
      const { code, signal } = await registry.ended;

      for (const { statuses, reason } of seen) {
        assert.equal(reason, 'stopping');
        assert.deepEqual(statuses, statuses.slice().fill(200));
      }
      assert.deepEqual([code, signal], [0, null]);
      await assert.rejects(client.get('/health'));
    });
  }

  if (engine.name !== 'sqlite') return;

  for (const args of [['serve'], ['web']]) {
    it(`to \`${args} --demo\` ends it while the demo loads`, async () => {
      const port = await freePort();
      const database = await engine.openTestDatabase();
      const env = { ...database, REGISTRY_LOG_LEVEL: 'silent', REGISTRY_DRAIN_MS: '0' };
      const registry = startRegistry([...args, '--demo', '--port', String(port)], env);
      await registry.printed(/loading the demo data/, 'stderr');

      registry.child.kill('SIGTERM');
      const { code, stderr } = await registry.ended;

      assert.equal(code, 0);
      assert.match(stderr, /Loading the demo data was stopped/);
    });
  }

  it('to `npm start` reaches the service, which ends with 0', async () => {
    const port = await freePort();
    const { PATH, HOME } = process.env;
    const database = await engine.openTestDatabase();
    // Where there is something already, no demo is loaded.
    await createOrg((await engine.openTestApp({ database })).ctx);
    const child = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: { PATH, HOME, ...database, REGISTRY_PORT: String(port), REGISTRY_EMBEDDER: 'off', REGISTRY_DRAIN_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    // Closed when the last process that shares it has ended.
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
