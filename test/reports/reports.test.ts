// Reports with an address over a real socket: made of files, judged when they are read, seen by whoever has the address.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { dropOldest, purgeReports } from '../../src/packages/reports/make.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';

const entry = (version: string, resolved?: string) => ({ version, ...(resolved && { resolved }) });
const LOCKFILE = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { breaker: '^1.0.0' } },
    'node_modules/breaker': entry('1.0.0'),
    'node_modules/nobody': entry('1.0.0'),
    'node_modules/@acme/secret': entry('1.0.0'),
    'node_modules/mirrored': entry('1.0.0', 'https://npm.other.example/mirrored/-/mirrored-1.0.0.tgz'),
    'node_modules/forked': entry('1.0.0', 'git+ssh://git@code.example/forked.git#0123456'),
  },
});
const DAY = 86_400_000;

forEachEngine('reports', (engine) => {
  const clock = movableClock('2026-03-20T12:00:00.000Z');
  let world: UpgradeWorld;
  let account: Account;
  let releaseIds: string[];
  before(async () => {
    const env = { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example' };
    world = await openUpgradeWorld(engine, { clock, env });
    account = await signUp(world.service);
    const source = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '2.0.0', content: '### Breaking changes\n- `open` was removed, use `read` instead.' },
    ]);
    await putPackage(as(world.ctx, 'admin'), { ecosystem: 'npm', name: 'breaker', sourceId: source.id });
    const rows = await world.ctx.store.read.selectFrom('releases').select('id').orderBy('version_sort').execute();
    releaseIds = rows.map(({ id }) => id);
  });

  const make = async (client = world.service.anonymous) => {
    const made = await client.post('/v1/reports', { text: LOCKFILE });
    assert.equal(made.status, 201, made.text);
    return made.body;
  };

  it('hold names and versions, direct dependencies first, and count what they leave out', async () => {
    const { id, deletionToken, webUrl, leftOut, expiresAt } = await make();
    assert.match(id, /^[\w-]{22}$/);
    assert.match(webUrl, new RegExp(`/reports/${id}$`));
    assert.deepEqual([leftOut.private, leftOut.elsewhere, expiresAt.slice(0, 10)], [2, 1, '2026-04-19']);
    const { body, headers } = await world.service.anonymous.get(`/v1/reports/${id}`);
    assert.deepEqual(
      body.rows.map((row: Record<string, unknown>) => [row.package, row.from, row.to, row.group, row.direct]),
      [
        ['breaker', '1.0.0', '2.0.0', 'breaks', true],
        ['nobody', '1.0.0', null, 'not_known', false],
      ],
    );
    assert.match(body.sentence, /^1 update breaks/);
    assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow');
    const stored = await world.ctx.store.read.selectFrom('report_packages').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(stored), /secret|mirrored|forked|code\.example/);

    const page = await world.service.anonymous.get(`/reports/${id}`, { Accept: 'text/html' });
    assert.match(page.text, /<meta name="robots" content="noindex/);
    assert.match(page.text, /1 not known: 1 has no notes and no findings/);
    assert.match((await world.service.anonymous.get(`/reports/${id}.md`)).text, /^### 1 update breaks/);
    assert.equal((await world.service.anonymous.get(`/reports/${id}.json`)).body.id, id);

    const gone = `/v1/reports/${id}`;
    assert.equal((await world.service.anonymous.delete(gone)).status, 403);
    assert.equal((await world.service.anonymous.delete(gone, { 'X-Deletion-Token': `${deletionToken}x` })).status, 403);
    assert.equal((await world.service.anonymous.delete(gone, { 'X-Deletion-Token': deletionToken })).status, 204);
    assert.equal((await world.service.anonymous.get(gone)).status, 404);
    assert.equal((await world.service.anonymous.get(`/reports/${id}`)).status, 404);
  });

  it('are read anew once something has changed', async () => {
    const { id } = await make(account.session);
    const groups = async () => {
      clock.move(5000);
      const { rows } = (await world.service.anonymous.get(`/v1/reports/${id}`)).body;
      return rows.map((row: { group: string }) => row.group);
    };
    assert.deepEqual(await groups(), ['breaks', 'not_known']);
    const hidden = await world.service.root.post(`/v1/releases/${releaseIds[1]}/suppress`, { reason: 'wrong' });
    assert.ok(hidden.status < 300, hidden.text);
    assert.ok(!(await groups()).includes('breaks'));
    await world.service.root.post(`/v1/releases/${releaseIds[1]}/unsuppress`, {});
    assert.deepEqual(await groups(), ['breaks', 'not_known']);
    assert.equal((await account.session.delete(`/v1/reports/${id}`)).status, 204, 'by the account that made it');
  });

  it('go after 30 days, unless a stack keeps them, and the oldest of nobody make room', async () => {
    const [own, first, second] = [await make(account.session), await make(), await make()];
    await transact(world.ctx, (ctx) => dropOldest(ctx, 3500));
    const status = async ({ id }: { id: string }) => (await world.service.anonymous.get(`/v1/reports/${id}`)).status;
    assert.deepEqual([await status(own), (await status(first)) + (await status(second))], [200, 604]);
    clock.move(31 * DAY);
    assert.equal(await status(own), 404);
    assert.ok((await purgeReports(world.ctx)) >= 2);
  });

  it('are at most 20 an hour for an address', async () => {
    clock.move(DAY);
    const text = '{"dependencies":{"left":"1.0.0"}}';
    const made = [];
    for (let at = 0; at < 21; at += 1) {
      clock.move(61_000);
      made.push((await world.service.anonymous.post('/v1/reports', { text })).status);
    }
    assert.deepEqual([made.filter((status) => status === 201).length, made.at(-1)], [20, 429]);
    assert.equal((await world.service.anonymous.post('/v1/reports', { text: 'hello' })).status, 400);
  });
});
