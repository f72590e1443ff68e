import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { type FetchOutcome, logStatusOf, wasRead } from '../../domain/fetching/outcome.ts';
import type { CreateSource } from '../../entities/sources/create.ts';
import { suppressRelease } from '../../releases/write/suppress.ts';
import { fetchSource } from './fetch-source.ts';
import type { RunOptions } from './report.ts';
import { item, type Scripted, scripted, validator } from './scripted.fixture.ts';

const START = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;

forEachEngine('fetchSource', (engine) => {
  async function setUp(more: Partial<CreateSource> = {}) {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const { id } = await createSource(ctx, more);
    const tools = scripted();
    return { ctx, clock, id, tools, run: (options: Partial<RunOptions> = {}) => poll(ctx, id, tools, options) };
  }

  const poll = (ctx: Context, id: string, tools: Scripted, options: Partial<RunOptions> = {}) =>
    fetchSource(ctx, id, { trigger: 'schedule', tools, ...options });
  const source = (ctx: Context, id: string) =>
    ctx.store.read.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const releases = (ctx: Context) => ctx.store.read.selectFrom('releases').selectAll().orderBy('seq').execute();
  const rows = (ctx: Context, table: 'fetch_log' | 'events' | 'release_revisions' | 'source_validators' | 'jobs') =>
    ctx.store.read.selectFrom(table).selectAll().execute();
  const lastLog = async (ctx: Context) =>
    ctx.store.read.selectFrom('fetch_log').selectAll().orderBy('created_at', 'desc').executeTakeFirstOrThrow();

  const outcomes: [FetchOutcome, number, number][] = [
    ['success', 0, 0],
    ['no_change', 0, 4],
    ['gone', 3, 3],
    ['blocked', 3, 3],
    ['throttled', 3, 3],
    ['malformed', 3, 3],
    ['empty', 3, 3],
    ['timeout', 3, 3],
    ['unreachable', 3, 3],
    ['model_not_configured', 2, 3],
    ['error', 3, 3],
  ];
  for (const [outcome, errors, noChange] of outcomes) {
    it(`${outcome}: one log row, the counters of its rule, and the old validators unless it was read`, async () => {
      const { ctx, clock, id, tools, run } = await setUp();
      tools.say({ items: [item('1.0.0')], validators: [validator('"one"')] });
      await run();
      await ctx.store.transaction(
        (tx) => tx.updateTable('sources').set({ consecutive_errors: 2, consecutive_no_change: 3 }).execute(),
        'bookkeeping',
      );
      clock.move(5 * HOUR);
      const items = outcome === 'success' ? [item('1.0.0'), item('1.1.0')] : [];
      const requests = outcome === 'model_not_configured' ? 0 : 2;
      tools.say({ outcome, items, detail: 'as told', validators: [validator('"two"')], httpStatus: 299, requests });

      const report = await run();

      const log = await lastLog(ctx);
      const failed = !wasRead(outcome);
      assert.deepEqual(
        [log.status, log.error_category, log.error, log.http_status, log.requests, log.bytes],
        [logStatusOf(outcome), failed ? outcome : null, failed ? `${outcome}: as told` : null, 299, requests, 100],
      );
      assert.deepEqual(
        [report.status, report.errorCategory, report.fetchLogId],
        [log.status, log.error_category, log.id],
      );
      const row = await source(ctx, id);
      assert.deepEqual([row.consecutive_errors, row.consecutive_no_change], [errors, noChange]);
      assert.equal(row.last_outcome, outcome);
      assert.equal(row.last_polled_at, outcome === 'model_not_configured' ? START : clock().toISOString());
      assert.equal(row.last_fetched_at, failed ? START : clock().toISOString());
      const [stored] = await rows(ctx, 'source_validators');
      assert.equal((stored as { etag: string }).etag, failed ? '"one"' : '"two"');
    });
  }

  it('throttled by a quota that many sources share: waits, and is not counted as a fault of the source', async () => {
    const { ctx, clock, id, tools, run } = await setUp();
    const retryAt = new Date(clock().getTime() + 10 * HOUR).toISOString();
    tools.say({ outcome: 'throttled', detail: 'model: daily_cap', sharedBudget: true, retryAt });

    const report = await run();

    assert.deepEqual([report.status, report.errorCategory], ['error', 'throttled']);
    const row = await source(ctx, id);
    assert.deepEqual([row.consecutive_errors, row.failing_since, row.next_fetch_after], [0, null, retryAt]);
  });

  it('an adapter that throws is an error, without what it said', async () => {
    const { ctx, tools, run } = await setUp();
    tools.say(() => {
      throw new TypeError('secret body text');
    });

    const report = await run();

    assert.deepEqual([report.status, report.errorCategory], ['error', 'error']);
    assert.equal((await lastLog(ctx)).error, 'error: internal: TypeError');
  });

  it('the first fetch tells nobody; then an unchanged poll writes no release, an edit is one revision, a new one an event', async () => {
    const { ctx, clock, tools, run } = await setUp();
    const old = Array.from({ length: 12 }, (_, index) => item(`1.${index}.0`));
    tools.say({ items: old, validators: [validator('"a"')] });
    const first = await run();
    assert.deepEqual([first.status, first.releasesInserted, first.announced], ['success', 12, 0]);
    const before = await releases(ctx);

    clock.move(5 * HOUR);
    const second = await run();
    assert.deepEqual([second.status, second.releasesFound, second.releasesUpdated], ['no_change', 12, 0]);
    assert.deepEqual(await releases(ctx), before);

    clock.move(5 * HOUR);
    const edited = { ...item('1.3.0'), content: `${item('1.3.0').content}\n- And one more` };
    tools.say({ items: [...old.slice(0, 3), edited, ...old.slice(4)] });
    const third = await run();
    assert.deepEqual([third.status, third.releasesInserted, third.releasesUpdated], ['success', 0, 1]);
    assert.deepEqual([(await rows(ctx, 'release_revisions')).length, (await rows(ctx, 'events')).length], [1, 0]);

    clock.move(5 * HOUR);
    tools.say({ items: [item('2.0.0', { publishedAt: clock().toISOString() }), edited, ...old.slice(4)] });
    const fourth = await run();
    assert.deepEqual([fourth.releasesInserted, fourth.announced, fourth.insertedIds.length], [1, 1, 1]);
    assert.equal((await rows(ctx, 'events')).length, 1);
  });

  it('a known guid, address or withdrawal is what an adapter is told of', async () => {
    const { tools, run } = await setUp();
    tools.say({ items: [item('1.0.0'), item('1.1.0')], validators: [validator('"a"')] });
    await run();
    await run();

    const [first, second] = tools.seen;
    assert.deepEqual([first?.firstFetch, first?.known.count, first?.validators], [true, 0, []]);
    assert.deepEqual([second?.firstFetch, second?.known.count], [false, 2]);
    assert.deepEqual([...(second?.known.guids ?? [])].sort(), ['guid-1.0.0', 'guid-1.1.0']);
    assert.deepEqual(second?.validators, [validator('"a"')]);
  });

  it('a part that was read is kept, with the outcome of the fault and the old validators', async () => {
    const { ctx, tools, run } = await setUp();
    tools.say({ outcome: 'timeout', detail: 'page 2', items: [item('1.0.0')] });

    const report = await run();

    assert.deepEqual([report.status, report.releasesInserted, report.error], ['timeout', 1, 'timeout: page 2']);
    assert.deepEqual([(await releases(ctx)).length, (await rows(ctx, 'source_validators')).length], [1, 0]);
  });

  it('a body that shrank waits for a second sight, and the validators with it', async () => {
    const { ctx, clock, tools, run } = await setUp();
    tools.say({ items: [item('1.0.0', { content: 'word '.repeat(200) })], validators: [validator('"a"')] });
    await run();
    tools.say({ items: [item('1.0.0', { content: 'short' })], validators: [validator('"b"')] });

    clock.move(5 * HOUR);
    assert.equal((await run()).status, 'no_change');
    const etag = async () => ((await rows(ctx, 'source_validators'))[0] as { etag: string }).etag;
    assert.equal(await etag(), '"a"');

    clock.move(2 * HOUR);
    assert.equal((await run()).status, 'success');
    assert.deepEqual([await etag(), (await releases(ctx))[0]?.content], ['"b"', 'short']);
  });

  it('filters of the source keep items out', async () => {
    const { ctx, tools, run } = await setUp({
      metadata: { categoryAllow: ['Changelog'], itemDeny: ['internal'], itemAllow: ['Acme', 'Beta'] },
    });
    const categories = ['changelog', 'news'];
    tools.say({
      items: [
        item('1.0.0', { categories }),
        item('1.1.0', { categories: ['news'] }),
        item('1.2.0'),
        item('1.3.0', { categories, title: 'Acme internal build' }),
        item('1.4.0', { categories, title: 'Something else', url: null }),
        item('1.5.0', { categories, title: 'Beta 2' }),
      ],
    });

    const report = await run();

    assert.deepEqual([report.releasesFound, report.releasesInserted], [6, 2]);
    assert.deepEqual((await releases(ctx)).map((row) => row.version).sort(), ['1.0.0', '1.5.0']);
  });

  it('carries flag, media and origin, keeps a date that only an update gives, and hides what is yanked', async () => {
    const { ctx, clock, tools, run } = await setUp();
    tools.say({ items: [item('0.9.0')] });
    await run();
    clock.move(5 * HOUR);
    const media = [{ type: 'image' as const, url: 'https://acme.dev/a.png' }];
    const publishedAt = '2026-02-28T10:00:00.000Z';
    const nightly = item('2026-02-28', {
      prereleaseHint: true,
      media: media as never,
      publishedAt,
      dateFromUpdated: true,
    });
    const yanked = item('1.0.1', { suppressedReason: 'yanked', publishedAt });
    const words = `Other words. ${item('1').content}`;
    tools.say(
      { items: [nightly, yanked] },
      { items: [{ ...nightly, publishedAt: '2026-03-01T10:00:00.000Z', content: words }, yanked] },
    );

    const report = await run();
    assert.deepEqual([report.releasesInserted, report.announced], [2, 1]);
    const stored = (await releases(ctx)).find((row) => row.version === '2026-02-28');
    assert.deepEqual([stored?.origin, JSON.parse(stored?.media ?? '')], ['feed', media]);
    const hidden = (await releases(ctx)).find((row) => row.version === '1.0.1');
    assert.deepEqual([hidden?.suppressed_by, hidden?.suppressed_reason, hidden?.indexed], ['source', 'yanked', 0]);

    clock.move(5 * HOUR);
    await run();
    const after = (await releases(ctx)).find((row) => row.version === '2026-02-28');
    assert.deepEqual([after?.published_at, after?.content], [publishedAt, words]);

    await suppressRelease(ctx, hidden?.id ?? '', { suppressed: false });
    await run();
    const shown = (await releases(ctx)).find((row) => row.version === '1.0.1');
    assert.equal(shown?.suppressed, 0, 'an operator who shows it is not overruled');
  });

  it('takes back what the source took back, and shows it again with it, each with a revision', async () => {
    const { ctx, clock, tools, run } = await setUp({ type: 'github', url: 'https://github.com/acme/cli' });
    tools.say({ items: [item('1.0.0'), item('1.1.0')] });
    await run();
    clock.move(5 * HOUR);
    tools.say({ items: [item('1.0.0')], withdrawn: ['guid-1.1.0'], complete: true });

    const listed = async () =>
      (await ctx.store.read.selectFrom('sources').select('listing_completed_at').executeTakeFirstOrThrow())
        .listing_completed_at;
    assert.equal(await listed(), null);
    const gone = await run();
    assert.deepEqual([gone.status, gone.releasesUpdated], ['success', 1]);
    assert.equal(await listed(), clock().toISOString(), 'a whole listing was read to its end');
    const hidden = (await releases(ctx))[0];
    assert.deepEqual(
      [hidden?.version, hidden?.suppressed_by, hidden?.suppressed_reason],
      ['1.1.0', 'source', 'withdrawn'],
    );
    const figures = await ctx.store.read.selectFrom('source_figures').selectAll().executeTakeFirst();
    assert.equal(figures?.release_count, 1);

    tools.say({ items: [item('1.0.0'), item('1.1.0')], complete: true });
    await run();
    assert.deepEqual([...(tools.seen.at(-1)?.known.withdrawn ?? [])], ['guid-1.1.0']);
    const back = (await releases(ctx)).find((row) => row.version === '1.1.0');
    assert.deepEqual([back?.suppressed, back?.suppressed_reason, back?.indexed], [0, null, 1]);
    const causes = (await rows(ctx, 'release_revisions')) as { cause: string }[];
    assert.deepEqual(causes.map(({ cause }) => cause).sort(), ['restored', 'withdrawn']);
    assert.equal((await rows(ctx, 'events')).length, 0);
  });

  it('says nothing when a site has moved its addresses', async () => {
    const { ctx, clock, tools, run } = await setUp();
    const fresh = { publishedAt: '2026-02-28T00:00:00.000Z', guid: null };
    const versions = ['1', '2', '3', '4', '5', '6'];
    tools.say({ items: versions.map((version) => item(version, { ...fresh, version: null })) });
    await run();
    clock.move(5 * HOUR);
    tools.say({
      items: versions.map((version) =>
        item(version, { ...fresh, version: null, url: `https://new.acme.dev/${version}` }),
      ),
    });

    const report = await run();

    assert.deepEqual([report.releasesInserted, report.announced, (await rows(ctx, 'events')).length], [6, 0, 0]);
  });

  it('learns facts about the source, but not whose it is, nor against a pause', async () => {
    const { ctx, id, tools, run } = await setUp();
    const learned = { feed_url: 'https://acme.dev/feed.xml', stars: 7, name: 'Acme News', slug: 'x', org_id: 'org_x' };
    tools.say({ sourceChanges: { ...learned, fetch_priority: 'low' } });

    await run();

    const row = await source(ctx, id);
    assert.deepEqual(
      [row.feed_url, row.stars, row.name, row.name_key, row.org_id, row.fetch_priority],
      [learned.feed_url, 7, 'Acme News', 'acme news', null, 'low'],
    );
    assert.notEqual(row.slug, 'x');
  });

  it('skips a source whose org sleeps, unless a person asks', async () => {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const org = await createOrg(ctx, { fetchPaused: true });
    const { id } = await createSource(ctx, { orgId: org.id });
    const tools = scripted({ items: [item('1.0.0')] });

    const skipped = await poll(ctx, id, tools);
    assert.deepEqual([skipped.status, skipped.error, tools.seen.length], ['skipped', 'skipped: the org is paused', 0]);
    assert.equal((await lastLog(ctx)).status, 'skipped');
    clock.move(1);
    assert.equal((await poll(ctx, id, tools, { trigger: 'manual' })).status, 'success');
  });

  it('a dry run shows the ten newest and stores nothing', async () => {
    const { ctx, id, tools, run } = await setUp({ metadata: { itemDeny: ['1.11.0'] } });
    await postReleases(ctx, id, [{ title: 'Kept', guid: 'kept' }]);
    const items = Array.from({ length: 12 }, (_, index) =>
      item(`1.${index}.0`, { publishedAt: `2026-02-${String(index + 10)}T00:00:00.000Z` }),
    );
    tools.say({ items, validators: [validator('"a"')], sourceChanges: { stars: 9 } });
    const before = [await releases(ctx), await source(ctx, id)];

    const report = await run({ dryRun: true, trigger: 'manual' });

    assert.deepEqual([report.status, report.releasesFound, report.sample?.length], ['dry_run', 12, 10]);
    assert.deepEqual(report.sample?.[0], {
      title: 'Acme 1.10.0',
      version: '1.10.0',
      url: 'https://acme.dev/releases/1.10.0',
      publishedAt: '2026-02-20T00:00:00.000Z',
    });
    assert.deepEqual([await releases(ctx), await source(ctx, id)], before);
    assert.deepEqual([(await lastLog(ctx)).status, (await rows(ctx, 'source_validators')).length], ['dry_run', 0]);
  });

  it('takes the newest when told how many, and does not call the rest read', async () => {
    const { ctx, tools, run } = await setUp();
    const items = [1, 2, 3].map((day) => item(`${day}.0.0`, { publishedAt: `2026-02-0${day}T00:00:00.000Z` }));
    tools.say({ items, validators: [validator('"a"')] });

    await run({ max: 2 });

    assert.deepEqual(
      (await releases(ctx)).map((row) => row.version),
      ['2.0.0', '3.0.0'],
    );
    assert.equal((await rows(ctx, 'source_validators')).length, 0);
  });
});
