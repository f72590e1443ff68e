// Every answer that the cache may hold says whether it did, with which version of the data it was compared, and from which
// one it was made; the debug log says what it hangs on.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { pino } from 'pino';
import type { App } from '../../src/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

type Line = Record<string, unknown>;

const hasId = (ids: unknown, id: string) => Array.isArray(ids) && ids.includes(id);

forEachEngine('a public answer', (engine) => {
  const lines: Line[] = [];
  let app: App;
  let service: Service;
  let version: () => number;
  let org: { id: string; slug: string };
  let own: { id: string };
  let foreign: { id: string };
  let path: string;

  before(async () => {
    const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    app = await engine.openTestApp({ log });
    service = await startService(app);
    version = () => app.ctx.store.dataVersion();
    org = await createOrg(app.ctx);
    own = await createSource(app.ctx, { orgId: org.id });
    foreign = await createSource(app.ctx);
    path = `/v1/orgs/${org.slug}/releases`;
  });

  const told = async (address: string, ask = service.anonymous) => {
    const { headers } = await ask.get(address);
    return [headers.get('x-cache'), headers.get('server-timing')];
  };
  const post = (source: { id: string }, number: string) => postReleases(app.ctx, source.id, [releaseRow(number)]);
  const logged = (message: string) => lines.filter((line) => line.msg === message && line.path === path);

  it('that was read says miss and the version of the data', async () => {
    assert.deepEqual(await told(path), ['MISS', `cache;desc=miss, data;desc=${version()}`]);
  });

  it('that was cached says hit and from which version it was made', async () => {
    const made = version();
    assert.deepEqual(await told(path), ['HIT', `cache;desc=hit, data;desc=${made}, made;desc=${made}`]);
  });

  it('that outlived a change elsewhere says with which version it was compared since', async () => {
    const made = version();
    await post(foreign, '1.0.0');
    assert.ok(version() > made);
    assert.deepEqual(await told(path), ['HIT', `cache;desc=hit, data;desc=${version()}, made;desc=${made}`]);
  });

  it('says miss after a change of what it shows', async () => {
    await post(own, '1.0.0');
    assert.deepEqual(await told(path), ['MISS', `cache;desc=miss, data;desc=${version()}`]);
  });

  it('is logged with what it hangs on, and with the change that dropped it', () => {
    const [stored] = logged('an answer is cached');
    assert.equal(stored?.route, '/v1/orgs/{org}/releases');
    assert.ok(hasId(stored?.hangsOn, org.id));
    const dropped = logged('a cached answer is dropped');
    assert.equal(dropped.length, 1);
    assert.equal(dropped[0]?.madeAt, stored?.madeAt);
    assert.equal(dropped[0]?.version, version());
    assert.ok(hasId(dropped[0]?.because, org.id));
  });

  it('for one caller says that the cache took no part', async () => {
    assert.deepEqual(await told(path, service.root), ['BYPASS', 'cache;desc=bypass']);
  });

  it('of the latest releases keeps the meaning that X-Cache has there', async () => {
    const latest = '/v1/releases/latest';
    assert.deepEqual(await told(latest), ['MISS', `cache;desc=miss, data;desc=${version()}`]);
    assert.deepEqual(await told(latest), ['HIT', `cache;desc=hit, data;desc=${version()}, made;desc=${version()}`]);
    assert.deepEqual(await told(`${latest}?count=5`), ['BYPASS', 'cache;desc=bypass']);
    assert.deepEqual(await told(latest, service.root), ['MISS', 'cache;desc=bypass']);
  });

  it('that is never cached says nothing of it', async () => {
    assert.deepEqual(await told('/health'), [null, null]);
  });
});
