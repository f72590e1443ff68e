import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine, type TestEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import { stubCreation } from '../../contract/stub-input.ts';
import { exportManifest } from '../../entities/manifest/export.ts';
import { addAccount } from '../../entities/orgs/accounts.ts';
import { createStub } from '../../entities/orgs/stub.ts';
import { deleteSource } from '../../entities/sources/delete.ts';
import type { ProvingContext } from '../adapters/proofs.ts';
import { lookUpWantedDomain, writeDemand } from './demand.ts';
import { scriptedProofs, startDomains } from './domains.fixture.ts';
import { demoteOrgs, sweepDemand } from './nightly.ts';
import { promoteStub } from './promote.ts';
import { stubFromDomain } from './stub-from-domain.ts';
import { syncManifest } from './sync.ts';

const DAY = 24 * 3_600_000;
const FEED = 'https://acme.example/log.xml';
const proven = { verdict: 'proven' as const };

forEachEngine('stubs', (engine) => {
  it('an export that is imported into an empty registry is exported the same, as a stub and when it is tracked', async () => {
    const { ctx } = await world(engine, {}, 'one.example');
    const { id: org } = await createOrg(ctx, {
      ...{ name: 'Acme', slug: 'acme', domain: 'acme.example', description: 'Makers of things', category: 'cloud' },
      ...{ avatarUrl: 'https://acme.example/a.png', tags: ['Tools', 'Cloud'] },
    });
    await addAccount(ctx, { org, account: { platform: 'github', handle: 'acme' } });
    const page = 'https://acme.example/news';
    const app = 'https://apps.apple.com/us/app/acme/id42';
    const metadata = { feedUrl: FEED, feedType: 'atom' };
    await createSource(ctx, {
      orgId: org,
      name: 'Log',
      type: 'feed',
      url: 'https://acme.example/log',
      metadata,
      isPrimary: true,
    });
    await createSource(ctx, { orgId: org, name: 'News', type: 'scrape', url: page });
    for (const [name, slug] of [
      ['CLI', 'the-cli'],
      ['App', 'app'],
    ] as const) {
      const more = {
        kind: 'tool' as const,
        url: `https://acme.example/${slug}`,
        description: `The ${name}`,
        tags: ['Tools'],
      };
      const product = await createProduct(ctx, org, { name, slug, ...more });
      const place = { orgId: org, productId: product.id, isPrimary: name === 'CLI' };
      if (name === 'App') await createSource(ctx, { ...place, name: 'Acme for iOS', type: 'appstore', url: app });
      else await createSource(ctx, { ...place, name: 'Acme CLI', type: 'github', url: 'https://github.com/acme/cli' });
    }
    const exported = await exportManifest(ctx, { org });

    const other = await world(
      engine,
      {
        feed: { [FEED]: proven },
        repository: { 'acme/cli': { ...proven, homepage: 'https://acme.example' } },
        app: { [app]: { ...proven, appId: '42' } },
        page: { [page]: { ...proven, score: 0.9 } },
      },
      'two.example',
    );
    other.domains.manifest('acme.example', exported);
    const stub = await stubFromDomain(other.ctx, { domain: 'acme.example' });
    const idless = ({ registries: _, ...rest }: object & { registries?: unknown }) => rest;
    assert.deepEqual([stub.created, stub.org?.status, stub.org?.discovery], [true, 'stub', 'agent']);
    assert.deepEqual([stub.productCount, stub.locationCount], [2, 4]);
    assert.deepEqual(idless(await exportManifest(other.ctx, { org: 'acme' })), idless(exported));

    const promotion = await promoteStub(other.ctx, { org: 'acme' });
    assert.deepEqual([promotion.promoted, promotion.sourcesCreated, promotion.locatorsStamped], [true, 4, 4]);
    assert.deepEqual(idless(await exportManifest(other.ctx, { org: 'acme' })), idless(exported));
  });

  it('stubFromDomain tells why it makes none', async () => {
    const { ctx, domains } = await world(engine, {}, 'one.example');
    const releases = [{ feed: FEED }];
    const reason = async (file: object | null, input: { domain?: string; dryRun?: boolean } = {}) => {
      if (file) domains.manifest('acme.example', { version: 2, ...file });
      const result = await stubFromDomain(ctx, { domain: 'https://www.acme.example/about', ...input });
      return result.created ? 'created' : result.skippedReason;
    };
    await createOrg(ctx, { slug: 'taken', domain: 'second.example', aliases: ['third.example'] });

    assert.equal(await reason(null, { domain: 'localhost' }), 'invalid_domain');
    assert.equal(await reason(null, { domain: 'second.example' }), 'org_exists');
    assert.equal(await reason(null, { domain: 'third.example' }), 'org_exists');
    assert.equal(await reason(null), 'not_found');
    assert.equal(await reason({ releases: [{}] }), 'invalid_schema');
    assert.equal(await reason({ name: 'Acme' }), 'no_locators');
    assert.equal(await reason({ name: 'Admin', releases }), 'slug_reserved');
    assert.equal(await reason({ name: 'Taken', releases }), 'slug_conflict');
    assert.equal(await reason({ registries: { 'one.example': { org: 'org_x' } }, releases }), 'claimed_elsewhere');
    assert.equal(await reason({ name: 'Acme', releases }, { dryRun: true }), 'dry_run');
    assert.equal(await reason({ name: 'Acme', releases }), 'created');
    assert.equal(await reason(null), 'org_exists');
  });

  it('a stub that is synced gains places and no sources, and its products keep apart', async () => {
    const { ctx, domains } = await world(engine, { feed: { [FEED]: proven } }, 'one.example');
    await createOrg(ctx, { accounts: [{ platform: 'x', handle: 'acme' }] });
    const products = [{ name: 'The App' }, { name: 'the app!' }, { name: '道具' }];
    domains.manifest('acme.example', {
      version: 2,
      name: 'Acme',
      social: { x: 'acme' },
      tags: ['!'],
      products,
      releases: [{ feed: FEED }],
    });
    const { org } = await stubFromDomain(ctx, { domain: 'acme.example' });
    const rows = await ctx.store.read.selectFrom('products').select('slug').orderBy('slug').execute();
    assert.deepEqual(
      rows.map(({ slug }) => slug),
      ['acme-product', 'the-app', 'the-app-2'],
    );

    domains.manifest('acme.example', { version: 2, products, releases: [{ feed: FEED }, { github: 'acme/cli' }] });
    const report = await syncManifest(ctx, { org: org?.id ?? '' });

    assert.deepEqual(
      report.plan?.map(({ action, reason }) => [action, reason]),
      [
        ['skip', 'stub'],
        ['skip', 'stub'],
      ],
    );
    const counted = await ctx.store.read
      .selectFrom('products')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirst();
    assert.equal(Number(counted?.n), 3);
  });

  it('promotion: once at a time, a plan without effect, tracked afterwards, then nothing to do', async () => {
    const script = { feed: { [FEED]: proven }, repository: { 'acme/cli': proven } };
    const { ctx, proofs } = await world(engine, script, 'one.example');
    const input = {
      name: 'Acme',
      releases: [{ feed: FEED }, { github: 'acme/cli' }, { url: 'https://acme.example/x' }],
    };
    const { id: org } = await createStub(ctx, stubCreation.parse(input));
    const trackingRequest = { tracking_requested_at: '2026-01-01T00:00:00.000Z' };
    await ctx.store.transaction(
      (tx) => tx.updateTable('orgs').set(trackingRequest).where('id', '=', org).execute(),
      'catalog',
    );

    const dry = await promoteStub(ctx, { org, dryRun: true });
    assert.deepEqual([dry.promoted, dry.plan?.map(({ action }) => action)], [false, ['create', 'create', 'create']]);
    // The first asks the outside, so the second finds the claim.
    const both = await Promise.allSettled([promoteStub(ctx, { org }), promoteStub(ctx, { org })]);
    const done = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.ok(done.some(({ promoted }) => promoted));
    const failed = both.filter((one) => one.status === 'rejected').map((one) => (one.reason as { code: string }).code);
    assert.ok(failed.every((code) => code === 'busy'));

    const row = await ctx.store.read.selectFrom('orgs').selectAll().where('id', '=', org).executeTakeFirstOrThrow();
    assert.deepEqual([row.status, row.tracking_requested_at, row.promoting_at], ['tracked', null, null]);
    const sources = await ctx.store.read
      .selectFrom('sources')
      .select(['type', 'fetch_priority'])
      .orderBy('type')
      .execute();
    // A person named the repository, so its owner needs no proof; the page has no parser.
    assert.deepEqual(
      sources.map((source) => `${source.type} ${source.fetch_priority}`),
      ['feed normal', 'github normal', 'scrape paused'],
    );
    const requested = proofs.requested.length;
    assert.deepEqual(await promoteStub(ctx, { org }), {
      promoted: false,
      alreadyTracked: true,
      sourcesCreated: 0,
      sourcesMatched: 0,
      locatorsStamped: 0,
    });
    assert.equal(proofs.requested.length, requested);
  });

  it('promotion is refused while another one runs', async () => {
    const { ctx, clock } = await world(engine, {}, 'one.example');
    const { id: org } = await createStub(ctx, stubCreation.parse({ name: 'Acme', releases: [{ feed: FEED }] }));
    const running = { promoting_at: clock().toISOString() };
    await ctx.store.transaction((tx) => tx.updateTable('orgs').set(running).where('id', '=', org).execute(), 'catalog');

    clock.move(9 * 60_000);
    assert.equal((await refused(promoteStub(ctx, { org })))?.code, 'busy');
    clock.move(60_000);
    assert.equal((await promoteStub(ctx, { org })).promoted, true);
  });

  it('an org that nothing reads any more is a stub again', async () => {
    const { ctx } = await world(engine, { feed: { [FEED]: proven } }, 'one.example');
    const { id: org } = await createStub(ctx, stubCreation.parse({ name: 'Acme', releases: [{ feed: FEED }] }));
    await promoteStub(ctx, { org });
    await createOrg(ctx);
    assert.equal(await demoteOrgs(ctx), 0);
    const source = await ctx.store.read.selectFrom('sources').select('id').executeTakeFirstOrThrow();
    await deleteSource(ctx, { path: { src: source.id }, hard: false });

    assert.equal(await demoteOrgs(ctx), 1);

    const place = await ctx.store.read.selectFrom('release_locations').select('source_id').executeTakeFirst();
    assert.equal(place?.source_id, null);
    assert.equal((await promoteStub(ctx, { org })).sourcesCreated, 1);
  });

  it('counts what is asked for, and makes stubs of the domains that are wanted most', async () => {
    const { ctx, domains, clock } = await world(engine, {}, 'one.example');
    const ask = async (domain: string) =>
      assert.equal((await refused(lookUpWantedDomain(ctx, { domain })))?.code, 'not_found');
    for (const domain of ['acme.example', 'https://www.acme.example/x', 'second.example']) await ask(domain);
    assert.equal(await writeDemand(ctx), 2);
    assert.equal(await writeDemand(ctx), 0);
    clock.move(60_000);
    await ask('acme.example');
    await writeDemand(ctx);
    const rows = await ctx.store.read.selectFrom('domain_demand').selectAll().orderBy('domain').execute();
    assert.deepEqual(
      rows.map(({ domain, hits }) => [domain, hits]),
      [
        ['acme.example', 3],
        ['second.example', 1],
      ],
    );
    assert.ok((rows[0]?.first_at ?? '') < (rows[0]?.last_at ?? ''));

    domains.manifest('acme.example', { version: 2, name: 'Acme', releases: [{ feed: FEED }] });
    assert.deepEqual(await sweepDemand(ctx), { probed: 2, created: 1, forgotten: 0 });
    assert.deepEqual(await sweepDemand(ctx), { probed: 0, created: 0, forgotten: 0 });
    clock.move(7 * DAY);
    assert.deepEqual(await sweepDemand(ctx), { probed: 1, created: 0, forgotten: 0 });
    clock.move(23 * DAY);
    assert.deepEqual(await sweepDemand(ctx), { probed: 1, created: 0, forgotten: 1 });
    assert.equal((await lookUpWantedDomain(ctx, { domain: 'acme.example' })).org?.status, 'stub');
  });
});

async function world(engine: TestEngine, script: Parameters<typeof scriptedProofs>[0], name: string) {
  const clock = movableClock('2026-03-01T06:00:00.000Z');
  const domains = await startDomains(['acme.example', 'second.example']);
  const app = await engine.openTestApp({ clock, fetch: domains.fetch, env: { REGISTRY_NAME: name } });
  const close = app.close;
  app.close = () => domains.close().then(close);
  const proofs = scriptedProofs(script);
  const ctx: ProvingContext = { ...app.ctx, proofs };
  return { ctx, domains, clock, proofs };
}
