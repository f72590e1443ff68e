import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import { overview as overviewShape } from '../../contract/overview.ts';
import { type OverviewInput, overviewInput } from '../../contract/overview-input.ts';
import { overviewStatuses } from '../../entities/orgs/overview-statuses.ts';
import { readPlaybook, writePlaybookNotes } from '../../entities/overviews/playbook.ts';
import { orgOverview, productOverview } from '../../entities/overviews/read.ts';
import { suppressRelease } from '../../releases/write/suppress.ts';
import { overviewInputs } from './inputs.ts';
import { deleteOverview, writeOverview } from './write.ts';

const DAY = 86_400_000;

forEachEngine('overviews', (engine) => {
  const clock = movableClock('2026-03-31T00:00:00.000Z');
  let opened: Promise<Context> | null = null;
  const open = () => {
    opened ??= engine.openTestApp({ clock }).then(({ ctx }) => as(ctx, 'write'));
    return opened;
  };
  const makeOrg = async (ctx: Context, ages: number[] = [1]) => {
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    const rows = ages.map((age, index) =>
      releaseRow(`1.${index}.0`, { publishedAt: new Date(clock().getTime() - age * DAY).toISOString() }),
    );
    const { insertedIds } = await postReleases(ctx, source.id, rows);
    return { org, source, releaseIds: insertedIds };
  };
  const text = (content: string, citations: OverviewInput['citations'] = []): OverviewInput =>
    overviewInput.parse({ content, releaseCount: 1, citations });

  it('are written, replaced with their citations, read and deleted', async () => {
    const ctx = await open();
    const { org, releaseIds } = await makeOrg(ctx);
    const [releaseId] = releaseIds;
    const content = 'Acme added a thing.';

    const first = await writeOverview(ctx, {
      path: { org: org.slug },
      overview: text(content, [
        { sourceUrl: 'http://www.releases.example/1.0.0/', startIndex: 5, endIndex: 18, citedText: 'added a thing' },
        { sourceUrl: 'https://elsewhere.example/', citedText: 'not a span' },
        { sourceUrl: 'https://elsewhere.example/2', releaseId, title: 'Named', startIndex: 0, endIndex: 4 },
      ]),
    });

    assert.deepEqual(overviewShape.parse(first), first);
    assert.deepEqual(
      first.citations.map((citation) => [
        citation.releaseId,
        citation.title,
        citation.startIndex,
        citation.endIndex,
        citation.citedText,
        citation.releaseWebUrl?.includes(`/release/${releaseId}-`) ?? null,
      ]),
      [
        [releaseId, null, 5, 18, 'added a thing', true],
        [null, null, 0, 0, '', null],
        [releaseId, 'Named', 0, 4, 'Acme', true],
      ],
    );
    clock.move(1000);
    const second = await writeOverview(ctx, { path: { org: org.id }, overview: text('Again.') });
    assert.deepEqual([second.id, second.content, second.citations], [first.id, 'Again.', []]);
    assert.equal(second.generatedAt, clock().toISOString());
    assert.deepEqual(await orgOverview(as(ctx, null), { org: org.id }), second);
    await deleteOverview(ctx, { org: org.id });
    await deleteOverview(ctx, { org: org.id });
    assert.equal(await orgOverview(as(ctx, null), { org: org.id }), null);
  });

  it('exist for products beside that of their org', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);
    const product = await createProduct(ctx, org.id);
    const path = { org: org.slug, product: product.slug };

    const written = await writeOverview(ctx, { path: { product: path }, overview: text('Of the product.') });

    const { scope, orgSlug, productSlug, productId } = written;
    assert.deepEqual(
      { scope, orgSlug, productSlug, productId },
      { scope: 'product', orgSlug: org.slug, productSlug: product.slug, productId: product.id },
    );
    assert.equal(await orgOverview(ctx, { org: org.id }), null);
    assert.deepEqual(await productOverview(ctx, { prod: product.id }), written);
    await deleteOverview(ctx, { product: { prod: product.id } });
    assert.equal(await productOverview(ctx, { prod: product.id }), null);
  });

  const sourceUrl = 'https://x.example/';
  const refusals: [string, OverviewInput['citations'][number], string, unknown][] = [
    [
      'a text that is not the slice',
      { sourceUrl, startIndex: 0, endIndex: 4, citedText: 'Acne' },
      'validation_failed',
      { issues: [{ path: 'citations.0.citedText', reason: 'must equal that slice of content' }] },
    ],
    [
      'a span past the end',
      { sourceUrl, startIndex: 0, endIndex: 400 },
      'validation_failed',
      { issues: [{ path: 'citations.0', reason: 'startIndex and endIndex must be a span of content' }] },
    ],
    [
      'half a span',
      { sourceUrl, startIndex: 0 },
      'validation_failed',
      { issues: [{ path: 'citations.0', reason: 'startIndex and endIndex go together' }] },
    ],
    [
      'a release that is not there',
      { sourceUrl, releaseId: 'rel_none' },
      'not_found',
      { entity: 'release', value: 'rel_none', field: 'citations.0.releaseId' },
    ],
  ];
  it('refuse citations that are not true', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);
    for (const [label, citation, code, details] of refusals) {
      const work = writeOverview(ctx, { path: { org: org.id }, overview: text('Acme.', [citation]) });
      assert.deepEqual(await refused(work), { code, details }, label);
    }
    assert.equal(await orgOverview(ctx, { org: org.id }), null);
  });

  it('lead to no release that the reader cannot see', async () => {
    const ctx = await open();
    const { org, releaseIds } = await makeOrg(ctx);
    const [releaseId = ''] = releaseIds;
    await writeOverview(ctx, { path: { org: org.id }, overview: text('Acme.', [{ sourceUrl, releaseId }]) });
    await suppressRelease(ctx, releaseId, { suppressed: true });
    const cited = async (scope: 'write' | null) =>
      (await orgOverview(as(ctx, scope), { org: org.id }))?.citations.map((citation) => citation.releaseId);

    assert.deepEqual(await cited(null), [null]);
    assert.deepEqual(await cited('write'), [releaseId]);
  });

  it('of 20 writers leave one page', async () => {
    const ctx = await open();
    const { org } = await makeOrg(ctx);

    const written = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        writeOverview(ctx, { path: { org: org.id }, overview: text(`Text ${index}.`, [{ sourceUrl }]) }),
      ),
    );

    assert.equal(new Set(written.map((overview) => overview.id)).size, 1);
    assert.equal((await orgOverview(ctx, { org: org.id }))?.citations.length, 1);
  });

  it('are made from the window asked for', async () => {
    const ctx = await open();
    const { org, source } = await makeOrg(ctx, [1, 2, 40, 60, 100]);
    const inputs = async (more: { window: number; limit?: number }) => {
      const full = await overviewInputs(ctx, { org: org.id, limit: 50, check: false, ...more });
      assert.ok('org' in full);
      return full;
    };

    const wide = await inputs({ window: 90 });
    assert.deepEqual([wide.windowDays, wide.totalAvailable, wide.selected.length], [90, 4, 4]);
    assert.deepEqual(
      [wide.org.id, wide.sources.map(({ id }) => id), wide.existingContent],
      [org.id, [source.id], null],
    );
    const narrow = await inputs({ window: 30, limit: 1 });
    assert.deepEqual([narrow.windowDays, narrow.totalAvailable, narrow.selected.length], [30, 2, 1]);
    assert.deepEqual(await overviewInputs(ctx, { org: org.id, window: 90, limit: 50, check: true }), {
      orgSlug: org.slug,
      selected: 4,
      totalAvailable: 4,
      hasExistingContent: false,
      wouldRegenerate: true,
      windowDays: 90,
    });
  });

  it('are reported as missing, behind or fresh, the furthest behind first', async () => {
    const { ctx: system } = await engine.openTestApp({ clock });
    const ctx = as(system, 'admin');
    const [missing, behind, fresh, quiet] = [
      await makeOrg(ctx, [1, 2, 3]),
      await makeOrg(ctx, [50]),
      await makeOrg(ctx, [50]),
      await makeOrg(ctx, [50]),
    ];
    for (const { org } of [behind, fresh, quiet]) {
      await writeOverview(ctx, { path: { org: org.id }, overview: text('Text.') });
    }
    clock.move(8 * DAY);
    await writeOverview(ctx, { path: { org: fresh.org.id }, overview: text('Text.') });
    clock.move(DAY);
    for (const { source } of [behind, fresh]) {
      await postReleases(ctx, source.id, [releaseRow('9.0.0', { publishedAt: clock().toISOString() })]);
    }
    const report = async (more: { missing?: boolean; hasActivity?: boolean } = {}) =>
      (await overviewStatuses(ctx, { staleDays: 7, page: 1, limit: 200, ...more })).items.map((item) => [
        item.orgSlug,
        item.staleness,
        item.releasesSinceOverview,
        item.recentReleaseCount,
      ]);

    const byName = (rows: Awaited<ReturnType<typeof report>>) => rows.sort((a, b) => (String(a) < String(b) ? -1 : 1));
    const all = await report();
    assert.deepEqual(all[0], [missing.org.slug, 'missing', 3, 3]);
    assert.deepEqual(
      byName(all.slice(1)),
      byName([
        [behind.org.slug, 'behind', 1, 1],
        [fresh.org.slug, 'fresh', 1, 1],
        [quiet.org.slug, 'fresh', 0, 0],
      ]),
    );
    assert.deepEqual(await report({ missing: true }), [[missing.org.slug, 'missing', 3, 3]]);
    assert.equal((await report({ missing: false })).length, 3);
    assert.deepEqual(await report({ hasActivity: false }), [[quiet.org.slug, 'fresh', 0, 0]]);
  });

  it('leave the playbook alone, which tells of sources and holds notes', async () => {
    const ctx = await open();
    const { org, source } = await makeOrg(ctx);
    const bare = await createOrg(ctx);
    await writeOverview(ctx, { path: { org: org.id }, overview: text('Text.') });

    assert.equal(await readPlaybook(ctx, { org: bare.id }), null);
    clock.move(1000);
    assert.deepEqual(await writePlaybookNotes(ctx, { org: org.id, notes: '  Ask Kim.\n' }), {
      ok: true,
      notes: '  Ask Kim.\n',
    });
    const playbook = await readPlaybook(ctx, { org: org.id });
    assert.equal(playbook?.notes, '  Ask Kim.\n');
    assert.equal(playbook?.updatedAt, clock().toISOString());
    assert.match(playbook?.content ?? '', new RegExp(`\`${source.slug}\`.*\n\n## Notes\n\n  Ask Kim.`));
    assert.deepEqual(await writePlaybookNotes(ctx, { org: org.id, notes: ' \n ' }), { ok: true, notes: null });
    assert.equal((await readPlaybook(ctx, { org: org.id }))?.notes, null);
  });
});
