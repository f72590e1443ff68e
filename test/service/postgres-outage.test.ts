// A database server that restarts, or stops answering, under traffic.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createClient } from '../support/client.ts';
import { ENGINES } from '../support/engines.ts';
import { startLoad } from '../support/load.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { assertNothingLost, loadEnvironment, type RunningService, runService } from '../support/running-service.ts';
import { scratchFolder } from '../support/scratch.ts';

// Half of them in each way.
const RESTARTS = 4;
// The number of successful reads and writes between two restarts.
const SUCCESSES = 5;
// The pause between two requests of one client: most of the machine is left to the restarting server. A restart waits for a
// write that is in flight, so a few requests are enough.
const PAUSE_MS = 200;
// Fewer than there are clients. After a restart each connection is opened again and reads the system catalog again, which
// costs more than the requests do.
const CONNECTIONS = '3';
// Long enough for an ordinary statement on a busy machine, short enough for a test.
const STATEMENT_MS = 3000;

const onPostgres = ENGINES.includes('postgres') ? describe : () => {};

onPostgres('a PostgreSQL server', () => {
  let server: PostgresServer;
  let folder: string;
  let env: Record<string, string>;
  let service: RunningService;

  before(async () => {
    server = await startPostgres({ durable: true });
    folder = await scratchFolder('registry-outage-');
    const { url } = await createDatabase(server.url);
    env = loadEnvironment({
      REGISTRY_DATABASE_URL: url,
      REGISTRY_DATA_DIR: folder,
      REGISTRY_DATABASE_TIMEOUT_MS: String(STATEMENT_MS),
      REGISTRY_DATABASE_POOL: CONNECTIONS,
    });
    service = await runService(['serve'], env);
  });
  after(async () => {
    service.registry.child.kill('SIGTERM');
    await service.registry.ended;
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  // Polls until the condition holds; otherwise the limit of the test ends it. Polling without a pause would take the
  // processor from the server.
  async function until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await setTimeout(PAUSE_MS);
  }

  async function ready(): Promise<{ status: number; reason: string | undefined }> {
    const { status, body } = await createClient(service.url).get('/ready');
    return { status, reason: body.error?.details.reason };
  }

  it('that restarts again and again under load costs answers of 503 and nothing else', async () => {
    const load = startLoad(service, { pauseMs: PAUSE_MS });
    await load.succeeded(SUCCESSES);
    for (let round = 0; round < RESTARTS; round += 1) {
      await load.writing();
      await server.restart(round % 2 === 0 ? 'fast' : 'immediate');
      await load.succeeded(SUCCESSES);
    }
    const { acknowledged, statuses, unanswered } = await load.stop();

    assert.equal(service.registry.child.exitCode, null, 'the process lives');
    assert.equal(unanswered, 0);
    const unforeseen = Object.keys(statuses).filter((key) => !/^read 200$|^write 20[01]$| 503$/.test(key));
    assert.deepEqual(unforeseen, [], JSON.stringify(statuses));
    const app = await createApp(readConfig(env));
    await assertNothingLost(app.ctx, acknowledged);
    await app.close();
  });

  it('that restarts leaves no process with old answers', async () => {
    const other = await runService(['web'], env);
    const [here, there] = [createClient(service.url), createClient(other.url)];
    const operator = { Authorization: `Bearer ${service.rootKey}` };
    const path = `/v1/sources/${service.sourceId}`;
    for (const mode of ['fast', 'immediate'] as const) {
      await here.get(path);
      await server.restart(mode);
      const name = `Renamed after ${mode}`;
      await until(async () => (await there.patch(path, { name }, operator)).status === 200);

      await until(async () => (await here.get(path)).body.name === name);
      const again = await Promise.all(Array.from({ length: 5 }, () => here.get(path)));

      assert.deepEqual([...new Set(again.map(({ body }) => body.name))], [name]);
    }
    other.registry.child.kill('SIGTERM');
    assert.equal((await other.registry.ended).code, 0);
  });

  it('that freezes is told by /ready, holds no request for ever, and is forgotten when it goes on', async () => {
    assert.equal((await ready()).status, 200);
    await server.freeze();

    const release = { version: '9.9.9', content: 'frozen', url: 'https://load.example/frozen' };
    const [frozen, write, health] = await Promise.all([
      ready(),
      createClient(service.url).post(`/v1/sources/${service.sourceId}/releases`, release, {
        Authorization: `Bearer ${service.rootKey}`,
      }),
      createClient(service.url).get('/health'),
    ]);
    await server.thaw();

    assert.deepEqual(frozen, { status: 503, reason: 'database' });
    assert.deepEqual([write.status, write.body.error.code], [503, 'service_unavailable']);
    assert.equal(health.status, 200);
    await until(async () => (await ready()).status === 200);
    assert.equal(service.registry.child.exitCode, null);
  });
});
