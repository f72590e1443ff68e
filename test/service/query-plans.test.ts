// The queries of hot pages walk an index and sort nothing, on both engines.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import type { Context } from '../../src/context.ts';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { orgActivity, sourceActivity } from '../../src/entities/activity/weekly.ts';
import { orgDetail } from '../../src/entities/orgs/detail.ts';
import { listOrgs } from '../../src/entities/orgs/list.ts';
import { sitemapRows } from '../../src/entities/registry/sitemap.ts';
import { readStats, readTotals } from '../../src/entities/registry/stats.ts';
import { listSources } from '../../src/entities/sources/list.ts';
import { lastChange } from '../../src/releases/atom/public-feed.ts';
import { REGISTRY_SUBJECT } from '../../src/releases/atom/subjects.ts';
import { facetsOf } from '../../src/releases/feeds/facet.ts';
import { feedRows } from '../../src/releases/feeds/feed.ts';
import type { Branch, FeedFilter } from '../../src/releases/feeds/feed-query.ts';
import type { FeedKey, FeedRow } from '../../src/releases/feeds/feed-rows.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { plan, statements } from '../support/statements.ts';

const CURSOR = { feedAt: '2026-01-02T00:00:00.000Z', feedVersion: 'A0A1A22', id: 'rel_x' };

forEachEngine('query plans', (engine) => {
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await fill(ctx);
  });

  it('every feed walks its own index, also from a cursor, and sorts nothing', async () => {
    const feeds: [string, Branch][] = [
      ['releases_feed', { column: null, value: '' }],
      ['releases_org_feed', { column: 'org_id', value: 'org_x' }],
      ['releases_product_feed', { column: 'product_id', value: 'prod_x' }],
      ['releases_source_feed', { column: 'source_id', value: 'src_x' }],
      ['releases_category_feed', { column: 'effective_category', value: 'ai' }],
    ];
    for (const [index, branch] of feeds) {
      for (const after of [null, CURSOR]) {
        const [query] = await statements(ctx, (watched) =>
          feedRows(watched, { branches: [branch], filter: {}, page: { limit: 21 }, after }),
        );
        assert.ok(query, index);
        const reported = await plan(ctx, query);
        assert.match(reported, new RegExp(`\\b${index}\\b`), reported);
        assert.doesNotMatch(reported, /TEMP B-TREE|\bSort\b|SCAN r\b|Seq Scan/, reported);
      }
    }
  });

  it('reads at their worst parameters stay on the index of what they are about', async () => {
    const { slug } = await ctx.store.read.selectFrom('orgs').select('slug').limit(1).executeTakeFirstOrThrow();
    const { id } = await ctx.store.read.selectFrom('sources').select('id').limit(1).executeTakeFirstOrThrow();
    const range = { from: '1970-01-01', to: '9999-12-31' };
    const source: Branch[] = [{ column: 'source_id', value: 'src_x' }];
    const whole: Branch[] = [{ column: null, value: '' }];
    const category: Branch[] = [{ column: 'effective_category', value: 'ai' }];
    const orgs = Array.from({ length: 20 }, (_, index): Branch => ({ column: 'org_id', value: `org_${index}` }));
    const feed = (branches: Branch[], filter: FeedFilter) => (watched: Context) =>
      feedRows(watched, { branches, filter, page: { limit: 21 }, after: null });
    const since = '1970-01-01T00:00:00.000Z';
    const reads: [RegExp, (ctx: Context) => Promise<unknown>][] = [
      [/releases_source_(?:feed|id)/, (watched) => orgActivity(watched, { org: slug, range })],
      [/releases_source_(?:feed|id)/, (watched) => sourceActivity(watched, { path: { src: id }, range: {} })],
      [/releases_source_feed/, feed(source, { since, includePrereleases: true })],
      [/releases_facet_feed/, feed(whole, { breaking: ['major'], minImportance: 5 })],
      [/releases_facet_feed/, feed(whole, { type: 'rollup', excludeTypes: ['video'] })],
      [/releases_category_feed/, feed(category, { type: 'rollup' })],
      [/releases_org_feed/, feed(orgs, {})],
      [/releases_facet_feed/, feed(orgs, { breaking: ['major'] })],
    ];
    for (const [index, read] of reads) {
      const seen = (await statements(ctx, read)).filter(({ sql: text }) =>
        /releases" as "r"|from "releases"/.test(text),
      );
      const plans: string[] = [];
      for (const query of seen) plans.push(await plan(ctx, query, { asIfLarge: true }));
      assert.match(plans.join('\n'), index);
      for (const reported of plans)
        assert.doesNotMatch(reported, /releases_feed\b|SCAN r\b|Seq Scan on releases/, reported);
    }
  });

  it('the facets of a filter are planned as one read where the engine can, and as one each where it cannot', async () => {
    const filter: FeedFilter = { minImportance: 5 };
    const whole: Branch = { column: null, value: '' };
    const [query] = await statements(ctx, (watched) =>
      feedRows(watched, { branches: [whole], filter, page: { limit: 21 }, after: null }),
    );
    assert.ok(query);
    const told = await plan(ctx, query, { asIfLarge: true });
    const reads = told.match(/\breleases_facet_feed\b/g) ?? [];
    assert.equal(reads.length, ctx.store.dialect.hasLateral ? 1 : facetsOf(filter).length, told);
  });

  it('a feed with words reads what it finds by its keys, and gives the same rows whichever way it goes', async () => {
    const { ctx } = await engine.openTestApp();
    const wide = await createOrg(ctx, { category: 'ai' });
    for (let part = 0; part < 2; part += 1) {
      const source = await createSource(ctx, { orgId: wide.id });
      await postReleases(ctx, source.id, leaks(part, 350), { silent: true });
    }
    const orgs: Branch[] = [{ column: 'org_id', value: wide.id }];
    for (let part = 2; part < 15; part += 1) {
      const { id } = await createOrg(ctx, { category: 'cloud' });
      const source = await createSource(ctx, { orgId: id });
      await postReleases(ctx, source.id, leaks(part, 2), { silent: true });
      orgs.push({ column: 'org_id', value: id });
    }
    const { source_id } = await ctx.store.read.selectFrom('releases').select('source_id').executeTakeFirstOrThrow();
    // The first two are read by keys, the next by a walk over its few releases, the last by one over many owners.
    const scopes: [Branch[], boolean][] = [
      [[{ column: null, value: '' }], true],
      [[{ column: 'effective_category', value: 'ai' }], true],
      [[{ column: 'source_id', value: source_id }], false],
      [orgs, true],
    ];
    const since = '1970-01-01T00:00:00.000Z';
    const filters: FeedFilter[] = [
      {},
      { since },
      { type: 'feature', includeCoverage: true },
      { excludeTypes: ['video'] },
    ];
    for (const [branches, byKeys] of scopes) {
      const read =
        (filter: FeedFilter, after: FeedKey | null = null) =>
        (watched: Context) =>
          feedRows(watched, { branches, filter, page: { limit: 100, includeContent: false }, after });
      for (const filter of filters) {
        const seen = await statements(ctx, read({ ...filter, q: 'leak' }));
        const keyed = seen.filter(({ sql: text }) => /doc_key" (?:in|IN|= ANY)/.test(text));
        if (byKeys) assert.ok(keyed.length > 0, JSON.stringify({ branches, filter }));
        for (const query of keyed) {
          const reported = await plan(ctx, query, { asIfLarge: true });
          assert.match(reported, /\(doc_key=\?\)|Index Cond: \(doc_key = ANY/, reported);
          assert.doesNotMatch(reported, /releases_\w*feed|Seq Scan on releases/, reported);
        }
      }
      for (const filter of filters) {
        const all = await everyPage((after) => read(filter, after)(ctx));
        const found = await everyPage((after) => read({ ...filter, q: 'leak' }, after)(ctx));
        assert.deepEqual(found, all.filter(hasLeak), JSON.stringify({ branches: branches[0], filter }));
      }
    }
  });

  it('a filter by the type of source walks the index of its feed, and sorts nothing', async () => {
    const scopes: [string, Branch][] = [
      ['releases_feed', { column: null, value: '' }],
      ['releases_category_feed', { column: 'effective_category', value: 'ai' }],
    ];
    for (const [index, branch] of scopes) {
      const [query] = (
        await statements(ctx, (watched) =>
          feedRows(watched, {
            branches: [branch],
            filter: { excludeTypes: ['video'] },
            page: { limit: 6 },
            after: null,
          }),
        )
      ).filter(({ sql: text }) => /from "releases" as "r"/.test(text));
      assert.ok(query, index);
      const reported = await plan(ctx, query, { asIfLarge: true });
      assert.match(reported, new RegExp(`\\b${index}\\b`), reported);
      assert.doesNotMatch(reported, /TEMP B-TREE|\bSort\b|Seq Scan on releases/, reported);
    }
  });

  it('what a rare filter lets through is looked up by its facets, also over many owners', async () => {
    const ids = await ctx.store.read.selectFrom('orgs').select('id').execute();
    const branches = ids.map(({ id }): Branch => ({ column: 'org_id', value: id }));
    const every = { includePrereleases: true, includeCoverage: true };
    for (const filter of [{ breaking: ['major'] as const }, { type: 'feature' as const }, { minImportance: 5 }]) {
      const read = (after: FeedKey | null) =>
        feedRows(ctx, {
          branches,
          filter: { ...every, ...filter },
          page: { limit: 100, includeContent: false },
          after,
        });
      const whole = (after: FeedKey | null) =>
        feedRows(ctx, {
          branches: [{ column: null, value: '' }],
          filter: { ...every, ...filter },
          page: { limit: 100, includeContent: false },
          after,
        });
      assert.deepEqual(await everyPage(read), await everyPage(whole), JSON.stringify(filter));
    }
  });

  it('figures of the registry, sitemaps, changes of feeds and lists of sources stay on their indexes and read no release', async () => {
    const ids = await ctx.store.read.selectFrom('orgs').select('id').execute();
    const branches = ids.map(({ id }): Branch => ({ column: 'org_id', value: id }));
    const slice = { limit: 100, offset: 0 };
    const byDay = /release_days_pkey|PRIMARY KEY \(source_id=\? AND day>\?\)/;
    // With the few rows of a test the planner may choose another index than with a large table.
    const large = (index: RegExp) => (engine.name === 'sqlite' ? index : /Index/);
    const reads: [string, RegExp, (ctx: Context) => Promise<unknown>][] = [
      ['totals', /source_figures_by_date/, (watched) => readTotals(watched, { days: 1 })],
      ['totals', large(/COVERING INDEX orgs_by_name/), (watched) => readTotals(watched, { days: 1 })],
      ['stats', byDay, (watched) => readStats(watched, { days: 30 })],
      ['stats', large(/fetch_log_by_time/), (watched) => readStats(watched, { days: 30 })],
      [
        'sources',
        large(/SEARCH s USING INDEX sqlite_autoindex_sources_1 \(id=\?\)/),
        (watched) => listSources(watched, { page: 2, limit: 10 }),
      ],
      ['busy sources', byDay, (watched) => listSources(watched, { page: 1, limit: 10, minRels30d: 2 })],
      [
        'busy sources',
        large(/sources_by_name/),
        (watched) => listSources(watched, { page: 1, limit: 10, minRels30d: 2 }),
      ],
      ['orgs', large(/orgs_by_name/), (watched) => listOrgs(watched, { page: 1, limit: 10, featured: true })],
      [
        'sitemap',
        large(/sources_(?:slug|by_org)/),
        (watched) => sitemapRows(watched, { section: 'collections', ...slice }),
      ],
      ['sitemap', large(/sources_(?:slug|by_org)/), (watched) => sitemapRows(watched, { section: 'orgs', ...slice })],
      [
        'change',
        large(/sources_(?:slug|by_org)/),
        (watched) => lastChange(watched, { ...REGISTRY_SUBJECT, branches: branches.slice(0, 3) }),
      ],
    ];
    for (const [name, index, read] of reads) {
      const plans: string[] = [];
      for (const query of await statements(ctx, read)) {
        assert.doesNotMatch(query.sql, /\b(?:from|join) "?releases\b/i, `${name}: ${query.sql}`);
        plans.push(await plan(ctx, query, { asIfLarge: true }));
      }
      const reported = plans.join('\n');
      assert.match(reported, index, `${name}: ${reported}`);
      // The index returns the names in order.
      if (name === 'busy sources' && engine.name === 'sqlite') assert.doesNotMatch(reported, /TEMP B-TREE/, reported);
      assert.doesNotMatch(
        reported,
        /SCAN (?:d|release_days)\b|Seq Scan on (?:release_days|sources|releases)\b/,
        `${name}: ${reported}`,
      );
    }
  });

  it('org list and org detail read kept figures and never the releases', async () => {
    const { slug } = await ctx.store.read.selectFrom('orgs').select('slug').limit(1).executeTakeFirstOrThrow();
    const reads: [string, (ctx: Context) => Promise<unknown>][] = [
      ['org list', (watched) => listOrgs(watched, { page: 1, limit: 50 })],
      ['org detail', (watched) => orgDetail(watched, { org: slug })],
    ];
    for (const [name, read] of reads) {
      const seen = await statements(ctx, read);
      assert.ok(seen.length > 0, name);
      for (const query of seen)
        assert.doesNotMatch(query.sql, /"releases"|\bFROM releases\b/i, `${name}: ${query.sql}`);
    }
  });
});

// Every third release is about a leak.
function leaks(part: number, count: number): ReleaseInput[] {
  return Array.from({ length: count }, (_, index) =>
    releaseRow(`${part}.${index}.0`, {
      content: index % 3 === 0 ? `### Fixed\n- A leak in ${part}.${index}.0` : '### Added\n- A thing',
      publishedAt: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:${String(part).padStart(2, '0')}:00.000Z`,
    }),
  );
}

type Titled = { title: string | null };

function hasLeak({ title }: Titled): boolean {
  return Number(title?.split('.')[1]) % 3 === 0;
}

async function everyPage(read: (after: FeedKey | null) => Promise<FeedRow[]>): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for (let after: FeedKey | null = null; ; ) {
    const page = await read(after);
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < 100) return rows;
    after = { feedAt: last.feed_at, feedVersion: last.feed_version, id: last.id };
  }
}

// Enough rows, and statistics, for the planner to have a reason to choose.
async function fill(ctx: Context): Promise<void> {
  for (const [org, category] of ['ai', 'cloud', 'crm', 'design', 'devops', 'finance'].entries()) {
    const { id } = await createOrg(ctx, { category });
    const source = await createSource(ctx, { orgId: id });
    const rows = Array.from({ length: 200 }, (_, index) =>
      releaseRow(`${org}.${index}.0`, {
        publishedAt: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
      }),
    );
    await postReleases(ctx, source.id, rows, { silent: true });
  }
  // With a handful of orgs the next release of one of them is always near, and walking the feed of all is no mistake.
  for (let org = 0; org < 40; org += 1) {
    const { id } = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: id });
    await postReleases(ctx, source.id, [releaseRow(`${org}.0.0`)], { silent: true });
  }
  await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
}
