// Stacks over a real socket: made from lists and lockfiles, judged from what is stored, with every kind of credential.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { type Account, signUp } from '../support/accounts.ts';
import { atomFaults } from '../support/atom.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';

const pkg = (name: string, version: string, ecosystem = 'npm') => ({ ecosystem, package: name, version });

forEachEngine('stacks', (engine) => {
  const clock = movableClock('2026-03-20T12:00:00.000Z');
  let world: UpgradeWorld;
  let account: Account;
  before(async () => {
    // No registry can be reached, so nothing is compared, and the notes alone are heard.
    const env = { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example', REGISTRY_EVIDENCE: 'off' };
    world = await openUpgradeWorld(engine, { clock, env });
    account = await signUp(world.service);
  });

  it('are made, replaced, listed and removed', async () => {
    const { session } = account;
    const list = {
      packages: [pkg('left', '1.0.0'), pkg('Left', '1.0.0'), pkg('Some_Name', '2.0', 'pypi')],
      source: 'x.lock',
    };
    const first = await session.put('/v1/me/stacks/web', list);
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('location')?.endsWith('/v1/me/stacks/web'), true);
    assert.equal((await session.put('/v1/me/stacks/web', list)).status, 200);
    const { body } = await session.get('/v1/me/stacks/web');
    assert.deepEqual(
      body.packages.map((one: { package: string }) => one.package),
      ['left', 'some-name'],
    );
    assert.deepEqual([body.packageCount, body.source, body.pushedBy, body.counts.pending], [2, 'x.lock', 'owner', 2]);
    const { stacks, limit } = (await session.get('/v1/me/stacks')).body;
    assert.deepEqual([stacks.length, stacks[0].name, limit], [1, 'web', 20]);
    assert.equal((await session.delete('/v1/me/stacks/web')).status, 204);
    assert.equal((await session.delete('/v1/me/stacks/web')).status, 404);
    assert.equal((await session.get('/v1/me/stacks/web/report')).status, 404);
  });

  it('are made from the text of a lockfile', async () => {
    const lockfile = JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { left: '^1.0.0' } },
        'node_modules/left': { version: '1.0.0' },
        'node_modules/right': { version: '2.1.0' },
        'node_modules/forked': { version: '1.0.0', resolved: 'git+ssh://git@code.example/forked.git#0123456' },
      },
    });
    const { body, status } = await account.session.put('/v1/me/stacks/lock', { lockfile, source: 'package-lock.json' });
    assert.deepEqual([status, body.packageCount], [201, 2]);
    const refused = await account.session.put('/v1/me/stacks/lock', { lockfile: 'no lockfile' });
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'bad_request']);
    await account.session.delete('/v1/me/stacks/lock');
  });

  it('have bounds', async () => {
    const other = await signUp(world.service);
    const put = (name: string, body: unknown) => other.session.put(`/v1/me/stacks/${name}`, body);
    const one = { packages: [pkg('left', '1.0.0')] };
    for (const name of ['a b', '-a', 'a-', 'a.b', 'x'.repeat(65), '%2e%2e']) {
      assert.equal((await put(encodeURIComponent(name), one)).status, 400, name);
    }
    for (const body of [{}, { packages: [] }, { ...one, lockfile: '{}' }, { packages: [pkg('left', '1', 'cargo')] }]) {
      assert.equal((await put('web', body)).status, 400, JSON.stringify(body));
    }
    const many = Array.from({ length: 5001 }, (_, index) => pkg(`p${index}`, '1.0.0'));
    assert.equal((await put('web', { packages: many })).status, 400);
    assert.equal((await put('web', { lockfile: 'x'.repeat(1_048_600) })).status, 413);
    clock.move(60_000);
    for (let index = 0; index < 20; index += 1) assert.equal((await put(`s${index}`, one)).status, 201);
    clock.move(60_000);
    const over = await put('s20', one);
    assert.deepEqual([over.status, over.body.error.code, over.body.error.details.limit], [429, 'limit_exceeded', 20]);
    assert.equal((await put('s3', one)).status, 200);
    assert.equal((await account.session.get('/v1/me/stacks/s3')).status, 404, 'another account does not see it');
  });

  it('are read and pushed by a key for stacks, which can do nothing else', async () => {
    const minted = await account.session.post('/v1/me/api-keys', { name: 'ci', scope: 'stacks' });
    assert.deepEqual([minted.status, minted.body.scope], [201, 'stacks']);
    assert.equal((await account.session.post('/v1/me/api-keys', { name: 'x', scope: 'write' })).status, 400);
    const key = world.service.as(minted.body.key);
    assert.equal((await key.put('/v1/me/stacks/ci', { packages: [pkg('left', '1.0.0')] })).status, 201);
    assert.equal((await key.get('/v1/me/stacks')).body.stacks[0].pushedBy, 'key');
    assert.equal((await key.get('/v1/me/stacks/ci/report')).status, 200);
    const refused = [
      await key.get('/v1/me'),
      await key.get('/v1/me/follows'),
      await key.get('/v1/me/webhooks'),
      await key.get('/v1/tokens/me'),
      await key.delete('/v1/me/stacks/ci'),
      await key.post('/v1/me/stacks/ci/seen', {}),
    ];
    for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [403, 'insufficient_scope']);
    assert.equal((await key.get('/v1/releases/latest')).status, 200);
    await account.session.delete('/v1/me/stacks/ci');
  });

  it('report by risk what the newest versions bring, and what is new since the last push', async () => {
    const { ctx } = world;
    const major = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '2.0.0', content: '### Breaking changes\n- `open` was removed, use `read` instead.' },
    ]);
    const calm = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '1.0.1', content: '### Fixed\n- A typo in the help text.' },
    ]);
    await putPackage(as(ctx, 'admin'), { ecosystem: 'pypi', name: 'breaker', sourceId: major.id });
    await putPackage(as(ctx, 'admin'), { ecosystem: 'pypi', name: 'calm', sourceId: calm.id });
    const packages = [
      pkg('calm', '1.0.0', 'pypi'),
      pkg('breaker', '1.0.0', 'pypi'),
      pkg('nobody', '1.0.0', 'pypi'),
      pkg('breaker', '2.0.0', 'pypi'),
    ];
    await account.session.put('/v1/me/stacks/risk', { packages });
    const { body } = await account.session.get('/v1/me/stacks/risk/report');
    const rows = body.rows.map((row: Record<string, unknown>) => [
      row.package,
      row.installed,
      row.newest,
      row.group,
      row.isNew,
    ]);
    assert.deepEqual(rows, [
      ['breaker', '1.0.0', '2.0.0', 'breaks', false],
      ['nobody', '1.0.0', null, 'not_known', false],
      ['calm', '1.0.0', '1.0.1', 'no_sign', false],
      ['breaker', '2.0.0', '2.0.0', 'up_to_date', false],
    ]);
    assert.equal(body.rows[1].isTracked, false);
    assert.match(body.rows[2].newestAt, /^\d{4}-/);
    assert.match(body.rows[0].reason, /open/);
    assert.deepEqual(body.rows[0].steps.length > 0, true);
    assert.deepEqual(
      [body.counts.breaks, body.counts.notKnown, body.counts.noSign, body.counts.upToDate],
      [1, 1, 1, 1],
    );
    assert.match(body.sentence, /^1 update breaks/);

    clock.move(60_000);
    await listPublished(ctx, 'calm', ['1.0.0', '1.0.1', '1.1.0'], { ecosystem: 'pypi' });
    clock.move(60_000);
    await judgeStale(ctx, { signal: new AbortController().signal });
    const later = (await account.session.get('/v1/me/stacks/risk/report')).body;
    const fresh = later.rows.filter((row: { isNew: boolean }) => row.isNew);
    assert.deepEqual(
      fresh.map((row: Record<string, unknown>) => [row.package, row.newest, row.newestAt, row.judgement]),
      [['calm', '1.1.0', null, 'not_known']],
    );
    assert.equal(later.counts.fresh, 1);
    const seen = await account.session.post('/v1/me/stacks/risk/seen', {});
    assert.deepEqual([seen.status, seen.body.counts.fresh], [200, 0]);
    assert.equal((await account.session.get('/v1/me/stacks')).body.stacks[0].counts.breaks, 1);
  });

  it('have a feed of releases above the installed versions, whose address can be replaced', async () => {
    const { ctx } = world;
    const source = await world.fill([
      { version: '1.0.0', content: 'First.', title: 'one' },
      { version: '1.1.0', content: 'Second.', title: 'two' },
      { version: '2.0.0', content: '### Breaking changes\n- `go` was removed.', title: 'three' },
    ]);
    await putPackage(as(ctx, 'admin'), { ecosystem: 'npm', name: 'fed', sourceId: source.id });
    await account.session.put('/v1/me/stacks/fed', { packages: [pkg('fed', '1.0.0')] });
    assert.equal((await account.session.get('/v1/me/stacks/fed/feed')).body.token, null);
    const { feedUrl } = (await account.session.post('/v1/me/stacks/fed/feed', {})).body;
    const pathOf = (url: string) => new URL(url).pathname;
    const titles = async (path: string) => {
      const { text, status } = await world.service.anonymous.get(path);
      return status === 200
        ? [...text.matchAll(/<title[^>]*>([^<]*)<\/title>/g)].map((match) => match[1]).slice(1)
        : status;
    };
    const all = await titles(pathOf(feedUrl));
    assert.ok(Array.isArray(all));
    assert.deepEqual([all.length, /three/.test(all[0] ?? ''), /two/.test(all[1] ?? '')], [2, true, true]);
    assert.equal(atomFaults((await world.service.anonymous.get(pathOf(feedUrl))).text).length, 0);
    const breaking = await titles(`${pathOf(feedUrl)}?minBreaking=major`);
    assert.ok(Array.isArray(breaking) && breaking.length === 1);

    const first = await world.service.anonymous.get(pathOf(feedUrl));
    const [tag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
    assert.equal(new Date(modified).getTime() > 0, true, 'the plain feed says when it changed');
    const again = async (headers: Record<string, string>, query = '') =>
      (await world.service.anonymous.get(`${pathOf(feedUrl)}${query}`, headers)).status;
    assert.deepEqual(
      [await again({ 'If-None-Match': tag }), await again({ 'If-Modified-Since': modified })],
      [304, 304],
    );
    assert.equal(await again({ 'If-None-Match': tag }, '?minBreaking=major'), 200, 'a selection has its own tag');
    await account.session.put('/v1/me/stacks/fed', { packages: [pkg('fed', '1.1.0')] });
    const changed = await world.service.anonymous.get(pathOf(feedUrl), { 'If-Modified-Since': modified });
    assert.equal(changed.status, 200, 'the stack has moved on');
    assert.ok(Date.parse(changed.headers.get('last-modified') ?? '') > Date.parse(modified));

    const next = (await account.session.post('/v1/me/stacks/fed/feed', {})).body.feedUrl;
    assert.deepEqual(
      [await titles(pathOf(feedUrl)), (await titles(pathOf(next)))?.toString().length !== 0],
      [404, true],
    );
    assert.equal((await account.session.delete('/v1/me/stacks/fed/feed')).status, 200);
    assert.equal(await titles(pathOf(next)), 404);
  });

  it('have the whole feed also when they have many packages', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `many-${index}`);
    for (const [index, name] of names.entries()) {
      // Most came within days, and a few long before.
      const day = index < 55 ? 430 + (index % 10) : index;
      const source = await world.fill([{ version: '2.0.0', content: 'Second.', title: `(${name})`, day }]);
      await putPackage(as(world.ctx, 'admin'), { ecosystem: 'npm', name, sourceId: source.id });
    }
    await account.session.put('/v1/me/stacks/many', { packages: names.map((name) => pkg(name, '1.0.0')) });
    const { feedUrl } = (await account.session.post('/v1/me/stacks/many/feed', {})).body;
    const found: string[] = [];
    const times: string[] = [];
    let next: string | undefined = new URL(feedUrl).pathname;
    for (let pages = 0; next !== undefined && pages < 3; pages += 1) {
      const { text } = await world.service.anonymous.get(next);
      found.push(...[...text.matchAll(/<title[^>]*>[^<]*\((many-\d+)\)/g)].map((match) => match[1] ?? ''));
      times.push(...[...text.matchAll(/<published>([^<]+)</g)].map((match) => match[1] ?? ''));
      const address = /<link[^>]*rel="next"[^>]*href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      next = address === undefined ? undefined : address.slice(new URL(address).origin.length);
    }
    assert.deepEqual(found.toSorted(), names.toSorted());
    assert.deepEqual(times, times.toSorted().reverse());
  });

  it('show packages of a private registry in feeds to admitted accounts alone', async () => {
    const { ctx } = world;
    const source = await world.fill([
      { version: '1.0.0', content: 'First.' },
      { version: '2.0.0', content: 'Second.', title: 'of the private one' },
    ]);
    await putPackage(as(ctx, 'admin'), { ecosystem: 'npm', name: '@acme/ours', sourceId: source.id });
    const owner = await signUp(world.service);
    await owner.session.put('/v1/me/stacks/own', { packages: [pkg('@acme/ours', '1.0.0')] });
    const addresses = [
      (await owner.session.post('/v1/me/stacks/own/feed', {})).body.feedUrl,
      (await owner.session.post('/v1/me/feed/token', {})).body.feedUrl,
    ];
    const seen = () =>
      Promise.all(
        addresses.map(async (url) =>
          /of the private one/.test((await world.service.anonymous.get(new URL(url).pathname)).text),
        ),
      );
    const follow = { targetType: 'package', targetId: 'npm:@acme/ours' };
    assert.equal((await owner.session.post('/v1/me/follows', follow)).status, 404);
    assert.deepEqual(await seen(), [false, false]);
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('package_admissions')
          .values({ scope: '@acme', user_id: owner.id, created_at: clock().toISOString() })
          .execute(),
      'catalog',
    );
    assert.equal((await owner.session.post('/v1/me/follows', follow)).status, 201);
    assert.deepEqual(await seen(), [true, true]);
  });

  it('leave room for following single packages', async () => {
    const { ctx } = world;
    const source = await world.fill([
      { version: '1.0.0', content: 'First.', title: 'of the followed one' },
      { version: '2.0.0', content: 'Second.', title: 'a later one' },
    ]);
    await putPackage(as(ctx, 'admin'), { ecosystem: 'npm', name: '@scope/followed', sourceId: source.id });
    const reader = await signUp(world.service);
    const target = { targetType: 'package', targetId: 'npm:@scope/followed' };
    assert.equal(
      (await reader.session.post('/v1/me/follows', { ...target, targetId: 'npm:nobody-knows' })).status,
      404,
    );
    assert.equal((await reader.session.post('/v1/me/follows', target)).status, 201);
    assert.equal((await reader.session.post('/v1/me/follows', target)).status, 200);
    const { follows } = (await reader.session.get('/v1/me/follows?targetType=package')).body;
    assert.deepEqual([follows.length, follows[0].name, follows[0].targetId], [1, '@scope/followed', target.targetId]);
    const titlesOf = async () =>
      (await reader.session.get('/v1/me/feed')).body.items.map((item: { title: string }) => item.title).sort();
    assert.deepEqual(await titlesOf(), ['a later one', 'of the followed one']);
    const gone = await reader.session.delete(`/v1/me/follows/package/${encodeURIComponent(target.targetId)}`);
    assert.equal(gone.status, 200);
    assert.deepEqual(await titlesOf(), []);
  });

  it('go with their account', async () => {
    const gone = await signUp(world.service);
    await gone.session.put('/v1/me/stacks/web', { packages: [pkg('left', '1.0.0')] });
    await world.ctx.store.transaction(
      (tx) => tx.deleteFrom('users').where('email', '=', gone.email).execute(),
      'catalog',
    );
    const left = await world.ctx.store.read
      .selectFrom('stacks as k')
      .leftJoin('users as u', 'u.id', 'k.user_id')
      .select('k.id')
      .where('u.id', 'is', null)
      .execute();
    assert.deepEqual(left, []);
  });
});
