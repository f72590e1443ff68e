import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { createClient } from '../support/client.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { freePort, runRegistry, startRegistry } from '../support/registry-process.ts';

// A request whose body never comes, and which the server has begun to read: it keeps the first stop waiting.
async function beginRequest(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const head = ['POST /v1/tokens HTTP/1.1', 'Host: x', `Authorization: Bearer ${ROOT_KEY}`, 'Content-Length: 9'];
  socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

forEachEngine('registry serve', (engine) => {
  async function setUp() {
    const port = await freePort();
    const env: Record<string, string> = { ...(await engine.openTestDatabase()), REGISTRY_LOG_LEVEL: 'warn' };
    return {
      env,
      port: String(port),
      url: `http://127.0.0.1:${port}`,
      client: createClient(`http://127.0.0.1:${port}`),
    };
  }

  it('answers, tells where everything is, and ends cleanly by SIGTERM', async () => {
    const { env, port, url, client } = await setUp();
    const registry = startRegistry(['serve', '--port', port], env);

    const printed = await registry.printed(/root key .*\n/);
    const health = await client.get('/health');
    registry.child.kill('SIGTERM');
    const { code, signal, stderr } = await registry.ended;

    assert.ok(printed.startsWith(`Release Registry is running at ${url}\n`));
    assert.deepEqual([health.status, health.body.ok], [200, true]);
    assert.deepEqual([code, signal, stderr], [0, null, '']);
    await assert.rejects(client.get('/health'));
  });

  it('answers /health while it loads the demo, and says how far it is', async () => {
    const { env, port, client } = await setUp();
    const registry = startRegistry(['serve', '--demo', '--no-worker', '--port', port], env);
    await registry.printed(/The registry is empty; loading the demo data\.\n/, 'stderr');

    const health = await client.get('/health');
    const meanwhile = await registry.printed(/^/, 'stderr');
    // Loading all of it once is enough.
    if (engine.name === 'sqlite') await registry.printed(/root key .*\n/);
    registry.child.kill('SIGKILL');
    const { stderr } = await registry.ended;

    assert.deepEqual([health.status, health.body.ok], [200, true]);
    assert.doesNotMatch(meanwhile, /now holds the demo data/);
    if (engine.name === 'sqlite') {
      assert.match(stderr, /demo releases: [\d,]+ in [\d.]+ s .*\nThe registry now holds the demo data\.\n/);
    }
  });

  it('makes a root key beside an embedded database, and shows its place but never its value', async () => {
    const { env, port, client } = await setUp();
    const registry = startRegistry(['serve', '--no-worker', '--port', port], env);
    const printed = await registry.printed(/root key .*\n/);
    const path = join(env.REGISTRY_DATA_DIR ?? '', 'root.key');
    const key = existsSync(path) ? readFileSync(path, 'utf8').trim() : null;

    const me = await client.get('/v1/tokens/me', { Authorization: `Bearer ${key ?? 'x'.repeat(40)}` });
    registry.child.kill('SIGINT');
    const { code, stdout, stderr } = await registry.ended;

    assert.equal(code, 0);
    if (engine.name === 'sqlite') {
      assert.match(printed, new RegExp(`root key +${path}\n`));
      assert.equal(me.body.kind, 'root');
      assert.ok(!`${stdout}${stderr}`.includes(key ?? 'none'));
    } else {
      assert.match(printed, /data +PostgreSQL, [^@\n]+\n.*root key +none; .*REGISTRY_ROOT_KEY/);
      assert.equal(me.status, 401);
    }
  });

  it('1: refuses to start while migrations are pending, when told so', async () => {
    const env = await engine.openTestDatabase({ migrated: false });

    const { code, stderr } = await runRegistry(['serve', '--no-migrate', '--port', '0'], env);

    assert.equal(code, 1);
    assert.match(stderr, /migrations are pending \(catalog, .*run `registry migrate` first/);
  });

  // What follows has nothing to do with the database.
  if (engine.name !== 'sqlite') return;

  it('1: says that a port is taken', async () => {
    const { env, port } = await setUp();
    const first = startRegistry(['serve', '--no-worker', '--port', port], env);
    await first.printed(/running/);

    const second = await runRegistry(['serve', '--no-worker', '--port', port], env);
    const together = await runRegistry(['web', '--processes', '2', '--port', port], env);
    first.child.kill('SIGTERM');

    assert.deepEqual([second.code, together.code], [1, 1]);
    for (const { stderr } of [second, together]) assert.match(stderr, new RegExp(`:${port} is in use`));
    assert.equal((await first.ended).code, 0);
  });

  it('ends at once by a second signal', async () => {
    const { env, port } = await setUp();
    const registry = startRegistry(['serve', '--no-worker', '--port', port], { ...env, REGISTRY_ROOT_KEY: ROOT_KEY });
    await registry.printed(/running/);
    const socket = await beginRequest(Number(port));

    registry.child.kill('SIGTERM');
    const timer = setInterval(() => registry.child.kill('SIGINT'), 400);
    const { code } = await registry.ended;
    clearInterval(timer);
    socket.destroy();

    assert.equal(code, 130);
  });

  it('web shares one port among processes, and ends them all', async () => {
    const { env, port, client } = await setUp();
    const registry = startRegistry(['web', '--processes', '2', '--port', port], env);
    await registry.printed(/root key .*\n/);

    const answers = await Promise.all(Array.from({ length: 6 }, () => client.get('/health')));
    registry.child.kill('SIGTERM');

    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal((await registry.ended).code, 0);
    await assert.rejects(client.get('/health'));
  });
});
