// Rules for every read: it writes nothing, it is the same in every process, and it is never stale.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '../../src/http/routes/index.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startService } from '../support/service.ts';
import { defaultParams, makeWorld, SAMPLES } from './samples.ts';

const STEP_MS = 20;
const STEPS = 200;

forEachEngine('reads', (engine) => {
  it('open no transaction, whatever they are asked', async () => {
    const app = await openDemoApp(engine);
    const service = await startService(app);
    const world = await makeWorld(service);
    app.ctx.store.transaction = () => Promise.reject(new Error('a read tried to write'));

    const gets = ROUTES.filter((route) => route.method === 'GET' && !LEAVES_HOME.has(route.path));
    for (const { path, live } of gets) {
      const sample = SAMPLES[`GET ${path}`]?.(world) ?? {};
      const params: Record<string, string> = { ...defaultParams(world), ...sample.params, id: world.token };
      const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? key);
      // An opened stream does not end.
      const method = live ? 'HEAD' : 'GET';
      const answer = await service.root.request(method, `/v1${filled}${sample.query ? `?${sample.query}` : ''}`);
      assert.ok(answer.status < 500, `GET ${path}: ${answer.text.slice(0, 200)}`);
    }
  });

  it('have the same strong ETag in two processes, and 304 with and without a coding', async () => {
    const database = await engine.openTestDatabase();
    const first = await engine.openTestApp({ database });
    const org = await createOrg(first.ctx);
    const source = await createSource(first.ctx, { orgId: org.id });
    const { insertedIds } = await postReleases(first.ctx, source.id, [
      releaseRow('1.0.0', { content: 'Body '.repeat(400) }),
    ]);
    const one = await startService(first);
    const other = await startService(await engine.openTestApp({ database }));

    for (const path of [
      `/v1/orgs/${org.slug}`,
      `/v1/orgs/${org.slug}/releases`,
      `/v1/releases/${insertedIds[0]}`,
      '/v1/orgs',
    ]) {
      const [a, b] = [await one.anonymous.get(path), await other.anonymous.get(path)];
      const etag = a.headers.get('etag') ?? '';
      assert.equal(etag.replace(/-(?:gzip|br)"$/, '"'), b.headers.get('etag')?.replace(/-(?:gzip|br)"$/, '"'), path);
      const again = await one.anonymous.get(path, {
        'If-None-Match': etag.replace(/"$/, '-gzip"').replace(/-(?:gzip|br)-gzip"$/, '-gzip"'),
      });
      assert.equal(again.status, 304, path);
    }
  });

  it('show a commit of this process at once and one of another process within moments', async () => {
    const database = await engine.openTestDatabase();
    const [writer, reader] = [await engine.openTestApp({ database }), await engine.openTestApp({ database })];
    const [one, other] = [await startService(writer), await startService(reader)];
    const source = await createSource(writer.ctx);
    const count = async (service: typeof one) =>
      (await service.anonymous.get('/v1/releases/latest')).body.releases.length;
    assert.deepEqual([await count(one), await count(other)], [0, 0]);

    for (let round = 1; round <= 5; round += 1) {
      await postReleases(writer.ctx, source.id, [releaseRow(`1.${round}.0`)]);

      assert.equal(await count(one), round);
      for (let step = 0; step < STEPS && (await count(other)) !== round; step += 1) await sleep(STEP_MS);
      assert.equal(await count(other), round);
    }
    assert.equal((await one.anonymous.get('/v1/releases/latest')).headers.get('x-cache'), 'HIT');
    assert.equal((await one.anonymous.get('/v1/releases/latest?count=5')).headers.get('x-cache'), 'BYPASS');
  });
});

// The one read that contacts another host, as documented.
const LEAVES_HOME = new Set(['/evaluate']);
