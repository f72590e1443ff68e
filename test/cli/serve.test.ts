import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { createClient } from '../support/client.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { freePort, runRegistry, startRegistry } from '../support/registry-process.ts';
import { assertNothingCutOff, callAcrossStop, DRAIN_MS } from './callers.ts';

// A request whose body never arrives, and which the server has begun to read: it delays the first stop.
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

  it('answers, tells where everything is but no key, holds its port, and ends by SIGTERM without cutting off a request', async () => {
    const { env, port, url, client } = await setUp();
    const registry = startRegistry(['serve', '--port', port], { ...env, REGISTRY_RATE_PUBLIC: '0', ...DRAIN_MS });

    const printed = await registry.printed(/root key .*\n/);
    const health = await client.get('/health');
    // With an embedded database a root key is created.
    const path = join(env.REGISTRY_DATA_DIR ?? '', 'root.key');
    const key = existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
    const me = await client.get('/v1/tokens/me', { Authorization: `Bearer ${key ?? 'x'.repeat(40)}` });
    // The listener does not depend on the database, so one engine is enough.
    const late =
      engine.name === 'sqlite'
        ? [
            await runRegistry(['serve', '--no-worker', '--port', port], env),
            await runRegistry(['web', '--processes', '2', '--port', port], env),
          ]
        : [];
    const seen = callAcrossStop(client, () => registry.child.kill('SIGTERM'));
    await assertNothingCutOff(seen);
    const { code, signal, stdout, stderr } = await registry.ended;

    assert.ok(printed.startsWith(`Release Registry is running at ${url}\n`));
    assert.deepEqual([health.status, health.body.ok], [200, true]);
    if (engine.name === 'sqlite') {
      assert.match(printed, new RegExp(`root key +${path}\n`));
      assert.equal(me.body.kind, 'root');
      assert.ok(!`${stdout}${stderr}`.includes(key ?? 'none'));
    } else {
      assert.match(printed, /data +PostgreSQL, [^@\n]+\n.*root key +none; .*REGISTRY_ROOT_KEY/);
      assert.equal(me.status, 401);
    }
    for (const one of late) {
      assert.equal(one.code, 1);
      assert.match(one.stderr, new RegExp(`:${port} is in use`));
    }
    assert.deepEqual([code, signal, stderr], [0, null, '']);
    await assert.rejects(client.get('/health'));
  });

  it('1: refuses to start while migrations are pending, when told so', async () => {
    const env = await engine.openTestDatabase({ migrated: false });

    const { code, stderr } = await runRegistry(['serve', '--no-migrate', '--port', '0'], env);

    assert.equal(code, 1);
    assert.match(stderr, /migrations are pending \(catalog, .*run `registry migrate` first/);
  });

  // The following tests do not depend on the database.
  if (engine.name !== 'sqlite') return;

  it('2: refuses to start with a variable that is no setting, when told so, and warns of it otherwise', async () => {
    const env = { ...(await engine.openTestDatabase()), REGISTRY_PROT: '1' };
    const words = /REGISTRY_PROT: is no setting; did you mean REGISTRY_PORT\?/;

    for (const command of ['serve', 'web', 'worker']) {
      const { code, stdout, stderr } = await runRegistry([command, '--strict-config'], env);
      assert.deepEqual([code, stdout], [2, ''], command);
      assert.match(stderr, words);
    }
    const warned = startRegistry(['serve', '--port', '0'], { ...env, REGISTRY_LOG_LEVEL: 'warn' });
    await warned.printed(words, 'stderr');
    warned.child.kill('SIGTERM');
    assert.equal((await warned.ended).code, 0);
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
});
