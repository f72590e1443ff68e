// The demo registry of `npm run demo` is plausible, complete and the same every time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { App } from '../../src/app.ts';
import { fillingOf } from '../../src/cli/fill.ts';
import { CATEGORIES, KINDS, SOURCE_TYPES } from '../../src/contract/enums.ts';
import { loadDemo } from '../../src/demo/load.ts';
import { cleanItem } from '../../src/domain/notes/index.ts';
import { DEMO_NOW, DEMO_RELEASES, openDemoApp, smallDemo } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const NOW = DEMO_NOW;

forEachEngine('demo registry', (engine) => {
  // The whole registry on one engine; the result does not depend on the engine, so a small one is enough on the other.
  const isWhole = engine.name === 'sqlite';
  const least = isWhole
    ? { breaking: 5, citations: 100, summaries: 40, links: 60 }
    : { breaking: 1, citations: 50, summaries: 30, links: 4 };
  let opened: Promise<App> | null = null;
  const openDemo = () => {
    if (!isWhole) opened ??= openDemoApp(engine);
    opened ??= engine.openTestApp({ clock: () => NOW }).then(async (app) => {
      const reported: string[] = [];
      const terminal = { out: assert.fail, err: (line: string) => void reported.push(line) };
      await fillingOf({ demo: true })?.(app.ctx, terminal, new AbortController().signal);
      assert.deepEqual(reported, [
        'The registry is empty; loading the demo data.',
        'The registry now holds the demo data.',
      ]);
      return app;
    });
    return opened;
  };

  it('stays empty when its load is stopped', async () => {
    const { ctx } = await engine.openTestApp({ clock: () => NOW });
    const stop = new AbortController();
    let steps = 0;
    const onProgress = () => {
      steps += 1;
      stop.abort(new Error('stopped'));
    };

    await assert.rejects(loadDemo(ctx, { registry: smallDemo(60), onProgress, signal: stop.signal }), {
      message: 'stopped',
    });

    assert.equal(steps, 1);
    assert.deepEqual(await ctx.store.read.selectFrom('orgs').select('id').execute(), []);
  });

  it('holds orgs in all categories, all source types, 1,200 releases, and loads once', async () => {
    const app = await openDemo();
    assert.equal(await loadDemo(app.ctx), false);
    const { anonymous: get, root } = await startService(app);
    const read = async (path: string) => (await get.get(`/v1${path}`)).body;

    const stored = await app.ctx.store.read
      .selectFrom('releases')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(stored.count), isWhole ? 1200 : DEMO_RELEASES);
    const orgs = await read('/orgs?includeEmpty=true');
    assert.ok(orgs.pagination.totalItems >= 38);
    assert.deepEqual(
      [...new Set(orgs.items.map((org: { category: string }) => org.category))].sort(),
      [...CATEGORIES].sort(),
    );
    const sources = (await read('/sources')).items;
    assert.deepEqual(
      [...new Set(sources.map((source: { type: string }) => source.type))].sort(),
      [...SOURCE_TYPES].sort(),
    );
    const products = (await read('/products')).items;
    assert.deepEqual(
      [...new Set(products.map((product: { kind: string }) => product.kind).filter(Boolean))].sort(),
      [...KINDS].sort(),
    );

    const latest = (await read('/releases/latest?count=100&include_prereleases=true&include_coverage=true')).releases;
    assert.ok(latest.some((item: { prerelease: boolean }) => item.prerelease));
    assert.ok(latest.some((item: { media: unknown[] }) => item.media.length > 0));
    const breaking = (await read('/releases/latest?breaking=major&count=5')).releases;
    assert.ok(breaking.length >= least.breaking, `${breaking.length}`);
    assert.ok(breaking.every((item: { publishedAt: string }) => item.publishedAt <= NOW.toISOString()));

    const collections = await read('/collections');
    assert.ok(
      collections.items.length >= 8 && collections.items.every((item: { memberCount: number }) => item.memberCount > 0),
    );
    assert.ok((await read('/tags')).items.length > 5);
    assert.ok((await read('/site-notice')).notice.active);
    // The texts of featured orgs exist from the start.
    const featured = new Set(
      orgs.items.filter((org: { featured: boolean }) => org.featured).map(({ slug }: { slug: string }) => slug),
    );
    const changelog = sources.find(
      (source: { hasChangelogFile: boolean; orgSlug: string }) =>
        source.hasChangelogFile && featured.has(source.orgSlug),
    );
    assert.ok((await read(`/sources/${changelog.id}/changelog?limit=1000`)).content.startsWith('#'));
    assert.ok((await read(`/sources/${changelog.id}`)).summaries.monthly.length > 0);
    assert.equal((await root.get('/v1/admin/logs/fetch')).body.length, 20);
  });

  it('has overviews whose citations are exact, of releases of the org that no other covers', async () => {
    const app = await openDemo();
    const { read } = app.ctx.store;
    const pages = await read.selectFrom('pages').selectAll().where('scope', 'in', ['org', 'product']).execute();
    const releases = new Map(
      (
        await read
          .selectFrom('releases as r')
          .innerJoin('sources as s', 's.id', 'r.source_id')
          .select(['r.id', 'r.title', 'r.content', 'r.coverage_of', 's.org_id'])
          .execute()
      ).map((release) => [release.id, release]),
    );

    assert.ok(pages.length >= 30, `${pages.length}`);
    assert.deepEqual([...new Set(pages.map(({ scope }) => scope))].sort(), ['org', 'product']);
    const { anonymous } = await startService(app);
    const { items } = (await anonymous.get('/v1/orgs')).body;
    let cited = 0;
    for (const { slug, id } of items) {
      const { body } = await anonymous.get(`/v1/orgs/${slug}/overview`);
      let reached = 0;
      for (const citation of body?.citations ?? []) {
        cited += 1;
        assert.equal(body.content.slice(citation.startIndex, citation.endIndex), cleanItem(citation.citedText));
        assert.ok(citation.startIndex >= reached && citation.endIndex > citation.startIndex);
        reached = citation.endIndex;
        const release = releases.get(citation.releaseId);
        assert.ok(`${release?.title}\n${release?.content}`.includes(citation.citedText));
        assert.deepEqual([release?.coverage_of, release?.org_id], [null, id]);
      }
      assert.ok(!body || body.lastContributingReleaseAt <= NOW.toISOString());
    }
    assert.ok(cited > least.citations, `${cited} citations`);
  });

  it('has summaries that fit their limit, one rolling row a source and one row a month', async () => {
    const { read } = (await openDemo()).ctx.store;
    const rows = await read.selectFrom('summaries').selectAll().execute();
    const bySource = Map.groupBy(rows, ({ source_id }) => source_id);

    assert.ok(bySource.size > least.summaries, `${bySource.size}`);
    for (const own of bySource.values()) {
      const keys = own.map((row) => (row.type === 'rolling' ? 'rolling' : `${row.year}-${row.month}`));
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(keys.includes('rolling'));
      assert.ok(own.every((row) => row.summary.length > 0 && row.summary.length <= 600));
      assert.ok(own.every((row) => (row.window_days === 30) === (row.type === 'rolling')));
    }
  });

  it('has packages that follow another and posts that a person linked to their release', async () => {
    const links = await (await openDemo()).ctx.store.read.selectFrom('release_coverage').selectAll().execute();
    const deciders = new Set(links.map(({ decided_by }) => decided_by));

    assert.ok(links.length >= least.links, `${links.length}`);
    assert.deepEqual([...deciders].sort(), isWhole ? ['human:curator', 'system:cascade'] : ['system:cascade']);
    const covered = new Set(links.map(({ coverage_id }) => coverage_id));
    assert.ok(links.every(({ canonical_id }) => !covered.has(canonical_id)));
  });

  it('names the source that reads each location of a tracked org', async () => {
    const app = await openDemo();
    const rows = await app.ctx.store.read
      .selectFrom('release_locations as l')
      .innerJoin('orgs as o', 'o.id', 'l.org_id')
      .leftJoin('sources as s', 's.id', 'l.source_id')
      .select(['l.title', 'l.org_id', 'o.status', 's.name', 's.org_id as source_org'])
      .execute();

    const tracked = rows.filter(({ status }) => status === 'tracked');
    assert.ok(tracked.length > 10, `${tracked.length}`);
    for (const { title, name, org_id, source_org } of tracked) assert.deepEqual([name, source_org], [title, org_id]);
    assert.ok(rows.some(({ status, name }) => status === 'stub' && name === null));
  });
});
