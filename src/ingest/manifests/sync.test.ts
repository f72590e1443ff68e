import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { updateProduct } from '../../entities/products/update.ts';
import { deleteSource } from '../../entities/sources/delete.ts';
import { updateSource } from '../../entities/sources/update.ts';
import type { ProvingContext } from '../adapters/proofs.ts';
import { scriptedProofs, startDomains } from './domains.fixture.ts';
import { orgsDueForSync, syncDueManifests } from './nightly.ts';
import { syncManifest } from './sync.ts';

const DAY = 24 * 3_600_000;
const feed = (name: string) => `https://acme.example/${name}.xml`;
const proven = { verdict: 'proven' as const };
const feedsOf = (names: string[]) => Object.fromEntries(names.map((name) => [feed(name), proven]));

forEachEngine('syncManifest', (engine) => {
  it('creates sources of every kind of locator, each as its proof says', async () => {
    const { ctx, domains, org } = await world(engine, {
      feed: { [feed('log')]: { ...proven, title: 'Acme log', feedType: 'rss', homepage: 'https://acme.example/log' } },
      repository: {
        'acme/cli': { ...proven, fullName: 'Acme/cli', homepage: 'https://docs.acme.example' },
        'stranger/tool': proven,
      },
      app: { 'https://apps.apple.com/us/app/acme/id42': { ...proven, appId: '42', name: 'Acme for iOS' } },
      file: { 'https://acme.example/CHANGELOG.md': proven },
      page: {
        'https://acme.example/news': { ...proven, score: 0.7, parser: 'headings', title: 'News' },
        'https://acme.example/blank': { ...proven, score: 0.2 },
        'https://acme.example/videos': {
          ...proven,
          video: { provider: 'youtube', feedUrl: feed('yt'), title: 'Tube', items: [] },
        },
        'https://acme.example/blog': {
          ...proven,
          feed: { feedUrl: feed('blog'), feedType: 'atom', title: 'Blog', homepage: null, items: [], thin: false },
        },
      },
    });
    domains.manifest('acme.example', {
      version: 2,
      releases: [
        { feed: feed('log'), canonical: true },
        { github: 'acme/cli' },
        { github: 'stranger/tool' },
        { appstore: 'https://apps.apple.com/us/app/acme/id42' },
        { file: 'https://acme.example/CHANGELOG.md', title: 'The file' },
        ...['news', 'blank', 'videos', 'blog'].map((path) => ({ url: `https://acme.example/${path}` })),
      ],
    });

    const report = await syncManifest(ctx, { org });

    assert.deepEqual([report.fetched, report.applied, report.result], [true, true, 'ok']);
    const rows = await sourcesOf(ctx, org);
    assert.deepEqual(rows.map((row) => [row.name, row.type, row.fetch_priority, row.is_primary]).sort(), [
      ['Acme for iOS', 'appstore', 'normal', 0],
      ['Acme log', 'feed', 'normal', 1],
      ['Blog', 'feed', 'normal', 0],
      ['News', 'scrape', 'normal', 0],
      ['The file', 'scrape', 'normal', 0],
      ['Tube', 'video', 'normal', 0],
      ['acme.example/blank', 'scrape', 'paused', 0],
      ['cli', 'github', 'normal', 0],
      ['tool', 'github', 'paused', 0],
    ]);
    assert.ok(rows.every((row) => row.discovery === 'agent'));
    const log = rows.find((row) => row.name === 'Acme log');
    assert.deepEqual([log?.url, log?.feed_url, log?.feed_type], ['https://acme.example/log', feed('log'), 'rss']);
    const reasons = report.plan?.flatMap(({ reason }) => reason ?? []);
    assert.deepEqual(reasons, ['owner_not_shown', 'not_readable']);
    const locations = await locationsOf(ctx, org);
    assert.ok(locations.every((row) => row.basis === 'declared' && row.source_id !== null));
    assert.equal((await syncManifest(ctx, { org })).result, 'unchanged');
  });

  it('matches existing sources and assigns their product', async () => {
    const { ctx, domains, org } = await world(engine, {});
    const source = await createSource(ctx, { orgId: org, type: 'github', url: 'https://github.com/Acme/CLI' });
    const page = await createSource(ctx, { orgId: org, type: 'scrape', url: 'https://acme.example/news/' });
    domains.manifest('acme.example', {
      version: 2,
      releases: [{ url: 'https://www.acme.example/news' }],
      products: [{ name: 'CLI', releases: [{ github: 'ACME/cli' }] }],
    });

    const report = await syncManifest(ctx, { org });

    assert.deepEqual(
      report.plan?.map(({ action, sourceId }) => [action, sourceId]),
      [
        ['match', page.id],
        ['match', source.id],
      ],
    );
    const [product] = await ctx.store.read.selectFrom('products').select(['id', 'name']).execute();
    const stored = await sourcesOf(ctx, org);
    assert.equal(stored.find(({ id }) => id === source.id)?.product_id, product?.id);
  });

  it('takes empty fields and its own, and leaves those of people', async () => {
    const { ctx, domains, org } = await world(engine, {});
    const operator = as(ctx, 'write');
    await updateOrg(operator, { org, change: { description: 'By a person' } });
    const product = await createProduct(ctx, org, { name: 'CLI', description: 'Mine' });
    const file = (word: string) => ({
      version: 2,
      name: 'Another name',
      description: word,
      category: word === 'one' ? 'cloud' : 'nonsense',
      avatar: `https://acme.example/${word}.png`,
      tags: [word, '!!'],
      social: { GitHub: `acme-${word}` },
      products: [{ name: 'CLI', description: word, website: `https://acme.example/${word}`, kind: 'tool' }],
    });
    const read = async () => {
      const row = await ctx.store.read.selectFrom('orgs').selectAll().where('id', '=', org).executeTakeFirstOrThrow();
      const child = await ctx.store.read
        .selectFrom('products')
        .selectAll()
        .where('id', '=', product.id)
        .executeTakeFirstOrThrow();
      return [row.name, row.description, row.category, row.avatar_url, child.description, child.url, child.kind];
    };
    domains.manifest('acme.example', file('one'));
    await syncManifest(ctx, { org });
    const name = (await ctx.store.read.selectFrom('orgs').select('name').where('id', '=', org).executeTakeFirst())
      ?.name;
    const first = [
      name,
      'By a person',
      'cloud',
      'https://acme.example/one.png',
      'Mine',
      'https://acme.example/one',
      'tool',
    ];
    assert.deepEqual(await read(), first);

    await updateProduct(operator, { path: { prod: product.id }, change: { kind: 'sdk' } });
    domains.manifest('acme.example', file('two'));
    await syncManifest(ctx, { org });

    const second = [
      name,
      'By a person',
      'cloud',
      'https://acme.example/two.png',
      'Mine',
      'https://acme.example/two',
      'sdk',
    ];
    assert.deepEqual(await read(), second);
    const tags = await ctx.store.read.selectFrom('tags').select('name').orderBy('name').execute();
    assert.deepEqual(
      tags.map((tag) => tag.name),
      ['one', 'two'],
    );
    const accounts = await ctx.store.read
      .selectFrom('org_accounts')
      .select(['platform', 'handle'])
      .orderBy('handle')
      .execute();
    assert.deepEqual(
      accounts.map(({ platform, handle }) => `${platform}/${handle}`),
      ['github/acme-one', 'github/acme-two'],
    );
  });

  it('does not take an account that the file itself brought for a proof', async () => {
    const repository = { 'famous/thing': proven, 'famous/other': proven };
    const { ctx, domains, org } = await world(engine, { repository });
    const releases = [{ github: 'famous/thing' }];
    domains.manifest('acme.example', { version: 2, social: { github: 'famous' }, releases });
    await syncManifest(ctx, { org });
    domains.manifest('acme.example', {
      version: 2,
      social: { github: 'famous' },
      releases: [...releases, { github: 'famous/other' }],
    });
    await syncManifest(ctx, { org });

    assert.deepEqual(
      (await sourcesOf(ctx, org)).map((row) => row.fetch_priority),
      ['paused', 'paused'],
    );
  });

  it('stores the location of a check that failed by the network, and tries it again with the same manifest', async () => {
    const script: Parameters<typeof scriptedProofs>[0] = {
      feed: { [feed('log')]: { verdict: 'unreachable', reason: 'timeout' } },
    };
    const { ctx, domains, org } = await world(engine, script);
    domains.manifest('acme.example', { version: 2, releases: [{ feed: feed('log') }] });

    const first = await syncManifest(ctx, { org });
    assert.deepEqual(
      first.plan?.map(({ action, reason }) => [action, reason]),
      [['skip', 'timeout']],
    );
    assert.equal((await locationsOf(ctx, org)).length, 1);
    script.feed = feedsOf(['log']);
    assert.equal((await syncManifest(ctx, { org })).plan?.[0]?.action, 'create');
    assert.equal((await syncManifest(ctx, { org })).result, 'unchanged');
  });

  it('removes locations that the manifest drops; pauses a source of its own, not one that a person has changed', async () => {
    const { ctx, domains, org } = await world(engine, { feed: feedsOf(['a', 'b', 'c', 'd']) });
    const file = (names: string[]) => ({
      version: 2,
      releases: names.map((name) => ({ feed: feed(name), title: name })),
    });
    domains.manifest('acme.example', file(['a', 'b', 'c', 'd']));
    await syncManifest(as(ctx, 'write') as ProvingContext, { org });
    const edited = (await sourcesOf(ctx, org)).find(({ name }) => name === 'b');
    await updateSource(as(ctx, 'write'), { src: edited?.id ?? '' }, { kind: 'docs' });

    domains.manifest('acme.example', file(['c', 'd']));
    const report = await syncManifest(ctx, { org });

    assert.deepEqual(
      report.plan?.map(({ action }) => action),
      ['match', 'match', 'remove', 'remove'],
    );
    const priorities = (await sourcesOf(ctx, org)).map((row) => [row.name, row.fetch_priority]).sort();
    assert.deepEqual(priorities, [
      ['a', 'paused'],
      ['b', 'normal'],
      ['c', 'normal'],
      ['d', 'normal'],
    ]);
    assert.equal((await locationsOf(ctx, org)).length, 2);
  });

  it('believes a file that drops most places only on its third day, or when an operator confirms', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { ctx, domains, org, clock } = await world(engine, { feed: feedsOf(names) });
    const file = (kept: string[]) => ({ version: 2, releases: kept.map((name) => ({ feed: feed(name) })) });
    const count = async () => (await locationsOf(ctx, org)).length;
    domains.manifest('acme.example', file(names));
    await syncManifest(ctx, { org });
    domains.manifest('acme.example', file(['a', 'b']));

    for (const day of [1, 1, 2]) {
      const report = await syncManifest(ctx, { org });
      assert.deepEqual([report.applied, report.skippedReason, await count()], [true, 'shrink_guard', 5], `day ${day}`);
      if (day === 2) domains.answer('acme.example', { status: 500 });
      else clock.move(DAY / 2);
    }
    clock.move(DAY);
    assert.equal((await syncManifest(ctx, { org })).result, 'http_error');
    assert.equal(await count(), 5);
    domains.manifest('acme.example', file(['a', 'b']));
    const third = await syncManifest(ctx, { org });
    assert.deepEqual([third.skippedReason, await count()], [undefined, 2]);

    domains.manifest('acme.example', file(names));
    await syncManifest(ctx, { org });
    domains.manifest('acme.example', file(['a']));
    assert.equal((await syncManifest(ctx, { org })).skippedReason, 'shrink_guard');
    assert.equal((await syncManifest(ctx, { org, confirm: true })).skippedReason, undefined);
    assert.equal(await count(), 1);
  });

  it('a dry run tells the plan and writes nothing', async () => {
    const { ctx, domains, org } = await world(engine, { feed: feedsOf(['a']) });
    domains.manifest('acme.example', { version: 2, description: 'New', releases: [{ feed: feed('a') }] });

    const report = await syncManifest(ctx, { org, dryRun: true });

    assert.deepEqual([report.applied, report.skippedReason, report.plan?.[0]?.action], [false, 'dry_run', 'create']);
    const row = await ctx.store.read.selectFrom('orgs').selectAll().where('id', '=', org).executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.description, row.manifest_hash, row.manifest_checked_at, row.promoting_at],
      [null, null, null, null],
    );
    assert.deepEqual([(await sourcesOf(ctx, org)).length, (await locationsOf(ctx, org)).length], [0, 0]);
  });

  it('leaves the org alone when the file names another one, is broken or missing', async () => {
    const { ctx, domains, org } = await world(engine, {});
    const at = (id: string) => ({ version: 2, description: 'x', registries: { 'registry.example': { org: id } } });
    domains.manifest('acme.example', at('org_another0000000000000'));
    assert.equal((await syncManifest(ctx, { org })).result, 'claimed_elsewhere');
    domains.manifest('acme.example', { version: 2, releases: [{}] });
    const broken = await syncManifest(ctx, { org });
    assert.deepEqual([broken.result, broken.issues?.[0]?.pointer], ['invalid_schema', '/releases/0']);
    domains.answer('acme.example', { status: 404 });
    const missing = await syncManifest(ctx, { org });
    assert.deepEqual([missing.fetched, missing.applied, missing.result], [false, false, 'not_found']);
    domains.manifest('acme.example', at(org));
    assert.equal((await syncManifest(ctx, { org })).result, 'ok');
  });

  it('pauses the sources of an archived product, and never brings back a deleted source', async () => {
    const { ctx, domains, org } = await world(engine, { feed: feedsOf(['a', 'b']) });
    const file = (archived: boolean) => ({
      version: 2,
      releases: [{ feed: feed('a') }],
      products: [{ name: 'Old', archived, releases: [{ feed: feed('b') }] }],
    });
    domains.manifest('acme.example', file(false));
    await syncManifest(ctx, { org });
    const [first] = (await sourcesOf(ctx, org)).filter((row) => row.product_id === null);
    await deleteSource(as(ctx, 'write'), { path: { src: first?.id ?? '' }, hard: false });
    domains.manifest('acme.example', file(true));

    const report = await syncManifest(ctx, { org });

    assert.deepEqual(
      report.plan?.map(({ action, reason }) => [action, reason]),
      [
        ['skip', 'source_deleted'],
        ['match', undefined],
      ],
    );
    assert.deepEqual(
      (await sourcesOf(ctx, org)).map((row) => row.fetch_priority),
      ['paused'],
    );
  });

  it('skips a blocked address', async () => {
    const { ctx, domains, org } = await world(engine, {
      page: { 'https://acme.example/news': { ...proven, score: 1 } },
    });
    const blocked = {
      id: 'bu_1',
      pattern: 'https://acme.example/news',
      pattern_key: 'acme.example/news',
      type: 'exact',
      reason: null,
    } as const;
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('blocked_urls')
          .values({ ...blocked, created_at: '' })
          .execute(),
      'catalog',
    );
    domains.manifest('acme.example', { version: 2, releases: [{ url: 'https://acme.example/news' }] });

    assert.deepEqual(
      (await syncManifest(ctx, { org })).plan?.map(({ reason }) => reason),
      ['blocked_url'],
    );
  });

  it('runs once at a time, and frees the org of a run that died after ten minutes', async () => {
    const { ctx, domains, org, clock } = await world(engine, {});
    domains.manifest('acme.example', { version: 2 });
    const died = { promoting_at: clock().toISOString() };
    await ctx.store.transaction((tx) => tx.updateTable('orgs').set(died).where('id', '=', org).execute(), 'catalog');

    assert.equal((await refused(syncManifest(ctx, { org })))?.code, 'busy');
    clock.move(10 * 60_000);
    assert.equal((await syncManifest(ctx, { org })).result, 'ok');
    assert.equal((await syncManifest(ctx, { org })).result, 'unchanged');
  });

  it('is due every seven days, longest unsynced first', async () => {
    const { ctx, domains, org, clock } = await world(engine, {});
    const second = (await createOrg(ctx, { domain: 'second.example' })).id;
    await createOrg(ctx, { domain: 'paused.example', fetchPaused: true });
    await createOrg(ctx);
    domains.manifest('acme.example', { version: 2 });
    await syncManifest(ctx, { org });

    assert.deepEqual(await orgsDueForSync(ctx), [second]);
    clock.move(6 * DAY);
    assert.equal(await syncDueManifests(ctx), 1);
    assert.deepEqual(await orgsDueForSync(ctx), []);
    clock.move(DAY);
    assert.deepEqual(await orgsDueForSync(ctx), [org]);
  });
});

async function world(engine: TestEngine, script: Parameters<typeof scriptedProofs>[0]) {
  const clock = movableClock('2026-03-01T06:00:00.000Z');
  const domains = await startDomains(['acme.example', 'second.example']);
  const app = await engine.openTestApp({ clock, fetch: domains.fetch, env: { REGISTRY_NAME: 'registry.example' } });
  const close = app.close;
  app.close = () => domains.close().then(close);
  const proofs = scriptedProofs(script);
  const ctx: ProvingContext = { ...app.ctx, proofs };
  const org = (await createOrg(ctx, { domain: 'acme.example' })).id;
  return { ctx, domains, org, clock, proofs };
}

function sourcesOf(ctx: Context, orgId: string) {
  const rows = ctx.store.read.selectFrom('sources').selectAll().where('org_id', '=', orgId);
  return rows.where('deleted_at', 'is', null).execute();
}

function locationsOf(ctx: Context, orgId: string) {
  return ctx.store.read.selectFrom('release_locations').selectAll().where('org_id', '=', orgId).execute();
}
