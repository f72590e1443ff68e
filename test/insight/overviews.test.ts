// Generated overviews, by rule and by a model behind a real socket.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import type { Overview } from '../../src/contract/overview.ts';
import { overviewInput } from '../../src/contract/overview-input.ts';
import { cleanItem } from '../../src/domain/notes/index.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { orgOverview, productOverview } from '../../src/entities/overviews/read.ts';
import { dropUnwantedOverviews } from '../../src/entities/overviews/stale.ts';
import { createModel } from '../../src/insight/model/index.ts';
import { dueOverviews } from '../../src/insight/overviews/due-overviews.ts';
import { writeOverview } from '../../src/insight/overviews/write.ts';
import { writeOverviewOf } from '../../src/insight/overviews/write-overview.ts';
import { deleteRelease } from '../../src/releases/write/delete.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';

const DAY = 86_400_000;

forEachEngine('generated overviews', (engine) => {
  async function open(fields: { autoGenerateContent?: boolean } = {}) {
    const clock = movableClock('2026-03-20T12:00:00.000Z');
    const { ctx: system } = await engine.openTestApp({ clock });
    const ctx = as(system, 'admin');
    const org = await createOrg(ctx, { name: 'Acme', ...fields });
    const products = [
      await createProduct(ctx, org.id, { name: 'CLI' }),
      await createProduct(ctx, org.id, { name: 'API' }),
    ];
    const ids: string[] = [];
    for (const product of products) {
      const source = await createSource(ctx, { orgId: org.id, productId: product.id });
      const { insertedIds } = await postReleases(ctx, source.id, [
        release('1.0.0', product.name, `- Added hooks to the ${product.name} ([#1](https://x.example/1))`),
        release('2.0.0', product.name, `### Removed\n- The \`old\` flag of the ${product.name}, which nobody used`),
      ]);
      ids.push(...insertedIds);
    }
    return { ctx, clock, org, products, ids };
  }
  const release = (version: string, name: string, content: string) =>
    releaseRow(version, {
      url: `https://acme.example/${name}/${version}`,
      publishedAt: '2026-03-10T00:00:00.000Z',
      content,
    });
  const writeAll = async (ctx: Context, model: Parameters<typeof writeOverviewOf>[2] = null) => {
    const due = await dueOverviews(ctx);
    for (const subject of due) await writeOverviewOf(ctx, subject, model);
    return due.length;
  };
  async function assertTrue(ctx: Context, overview: Overview | null, reworded = false) {
    assert.ok(overview && overview.citations.length > 0);
    let end = 0;
    for (const { startIndex, endIndex, citedText, releaseId, releaseWebUrl } of overview.citations) {
      assert.ok(startIndex >= end && endIndex > startIndex && endIndex <= overview.content.length);
      end = endIndex;
      const row = await ctx.store.read
        .selectFrom('releases')
        .selectAll()
        .where('id', '=', releaseId ?? '')
        .executeTakeFirst();
      assert.ok(row && (row.content.includes(citedText) || row.title.includes(citedText)), citedText);
      assert.ok(releaseWebUrl);
      if (!reworded) assert.equal(overview.content.slice(startIndex, endIndex), cleanItem(citedText));
    }
  }

  it('tell what happened in an org and in each of its products', async () => {
    const { ctx, org, products } = await open();

    assert.equal(await writeAll(ctx), 3);

    const overview = await orgOverview(ctx, { org: org.id });
    await assertTrue(ctx, overview);
    assert.match(
      overview?.content ?? '',
      /^Acme published 4 releases across 2 products in the last 90 days, 2 of them with breaking changes\.\n\n\*\*/,
    );
    assert.deepEqual([overview?.releaseCount, overview?.lastContributingReleaseAt], [4, '2026-03-10T00:00:00.000Z']);
    const product = await productOverview(ctx, { prod: products[0]?.id ?? '' });
    await assertTrue(ctx, product);
    assert.match(product?.content ?? '', /^CLI published 2 releases in the last 90 days/);
    assert.equal(await writeAll(ctx), 0);
  });

  it('are due again after a while with news, or at once when a quoted release changes', async () => {
    const { ctx, clock, org, products, ids } = await open();
    await writeAll(ctx);
    clock.move(3 * DAY);
    assert.equal(await writeAll(ctx), 0);

    await patchRelease(ctx, ids[1] ?? '', { content: '### Removed\n- The old flag, and another one with it' });
    assert.equal(await writeAll(ctx), 2);
    assert.match((await orgOverview(ctx, { org: org.id }))?.content ?? '', /and another one with it/);

    clock.move(1000);
    await suppressRelease(ctx, ids[1] ?? '', { suppressed: true });
    assert.equal(await writeAll(ctx), 2);
    assert.doesNotMatch((await orgOverview(ctx, { org: org.id }))?.content ?? '', /and another one with it/);

    clock.move(8 * DAY);
    assert.equal(await writeAll(ctx), 0);
    const source = await createSource(ctx, { orgId: org.id, productId: products[1]?.id });
    await postReleases(ctx, source.id, [
      releaseRow('9.0.0', { publishedAt: clock().toISOString(), content: '- Added the ninth thing' }),
    ]);
    assert.equal(await writeAll(ctx), 2);
    assert.match((await orgOverview(ctx, { org: org.id }))?.content ?? '', /Added the ninth thing/);
  });

  it('count a release as new that was read long after it was published', async () => {
    const { ctx, clock, org, products } = await open();
    await writeAll(ctx);
    clock.move(8 * DAY);
    const source = await createSource(ctx, { orgId: org.id, productId: products[0]?.id });
    await postReleases(ctx, source.id, [
      releaseRow('1.5.0', { publishedAt: '2026-03-19T00:00:00.000Z', content: '- Added what came late' }),
    ]);

    assert.equal(await writeAll(ctx), 2);
    assert.match((await orgOverview(ctx, { org: org.id }))?.content ?? '', /Added what came late/);
  });

  it('go when nothing that they quote can be read any more', async () => {
    const { ctx, clock, org, products, ids } = await open();
    await writeAll(ctx);
    clock.move(1000);
    for (const [index, id] of ids.entries()) {
      if (index % 2 === 0) await suppressRelease(ctx, id, { suppressed: true });
      else await deleteRelease(ctx, { id });
    }

    await writeAll(ctx);

    assert.equal(await orgOverview(ctx, { org: org.id }), null);
    assert.equal(await productOverview(ctx, { prod: products[0]?.id ?? '' }), null);
    assert.equal(await writeAll(ctx), 0);
  });

  it('go when the org wants them no longer, but for the text of a person', async () => {
    const { ctx, org, products } = await open();
    await writeAll(ctx);
    const overview = overviewInput.parse({ content: 'By hand.', releaseCount: 1 });
    await writeOverview(ctx, { path: { product: { prod: products[0]?.id ?? '' } }, overview });
    await updateOrg(ctx, { org: org.id, change: { autoGenerateContent: false } });

    assert.equal(await dropUnwantedOverviews(ctx), 2);

    assert.equal(await orgOverview(ctx, { org: org.id }), null);
    assert.equal((await productOverview(ctx, { prod: products[0]?.id ?? '' }))?.content, 'By hand.');
  });

  it('are not written for orgs that want none', async () => {
    const { ctx, org } = await open({ autoGenerateContent: false });
    const overview = overviewInput.parse({ content: 'By hand.', releaseCount: 1 });
    await writeOverview(ctx, { path: { org: org.id }, overview });

    assert.equal(await writeAll(ctx), 0);
    assert.equal((await orgOverview(ctx, { org: org.id }))?.content, 'By hand.');
  });

  async function speaking(t: TestContext, say: (requested: Record<string, string>) => unknown) {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    world.route('/v1/chat/completions', async ({ body }) => {
      const requested = JSON.parse(JSON.parse(body).messages.at(-1).content) as Record<string, string>;
      const content = JSON.stringify(await say(requested));
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ choices: [{ message: { content } }] }),
      };
    });
    const settings = { provider: 'openai' as const, url: `${world.url}/v1`, key: null, name: 'small' };
    return createModel(settings, { fetch: world.fetch(), clock: () => new Date() });
  }
  const answers: [string, (requested: Record<string, string>) => unknown, boolean][] = [
    ['in its own words', (requested) => mapped(requested, (text) => `Note: ${text.toLowerCase()}`), true],
    ['with an invented version', (requested) => mapped(requested, (text) => `${text} since 7.7.7`), false],
    ['with an invented item only', () => ({ '99': 'Something else' }), false],
    ['with most items dropped', (requested) => ({ '1': requested['1'] }), false],
    ['with a sentence more', (requested) => mapped(requested, (text) => `${text}. Everything is faster now`), false],
    ['with a link', (requested) => mapped(requested, (text) => `[${text}](x)`), false],
    ['with headings', (requested) => mapped(requested, (text) => `# ${text}\n\n${text}`), false],
    ['with no object', () => ['x'], false],
  ];
  for (const [name, say, used] of answers) {
    it(`in a model's text: ${name}`, async (t) => {
      const { ctx, org } = await open();
      const model = await speaking(t, say);

      await writeAll(ctx, model);

      const overview = await orgOverview(ctx, { org: org.id });
      await assertTrue(ctx, overview, used);
      assert.equal(/Note: added hooks to the cli/.test(overview?.content ?? ''), used, overview?.content ?? '');
      assert.doesNotMatch(overview?.content ?? '', /7\.7\.7|Something else|faster|\]\(|\n#/);
    });
  }
  it('are due again when a release changed while the model was thinking', async (t) => {
    const { ctx, clock, org, ids } = await open();
    const model = await speaking(t, async (requested) => {
      clock.move(1000);
      await patchRelease(ctx, ids[1] ?? '', { content: '### Removed\n- The old flag, and another one with it' });
      clock.move(1000);
      return mapped(requested, (text) => `Note: ${text.toLowerCase()}`);
    });
    const [subject] = await dueOverviews(ctx);
    assert.ok(subject && subject.product === null);
    await writeOverviewOf(ctx, subject, model);

    await writeAll(ctx);
    const overview = await orgOverview(ctx, { org: org.id });
    await assertTrue(ctx, overview);
    assert.match(overview?.content ?? '', /and another one with it/);
  });

  it('leave the text of a person who was quicker than the model', async (t) => {
    const { ctx, org } = await open();
    const overview = overviewInput.parse({ content: 'By hand.', releaseCount: 1 });
    const model = await speaking(t, async (requested) => {
      await writeOverview(ctx, { path: { org: org.id }, overview });
      return mapped(requested, (text) => `Note: ${text.toLowerCase()}`);
    });
    const [subject] = await dueOverviews(ctx);
    assert.ok(subject && subject.product === null);

    await writeOverviewOf(ctx, subject, model);

    assert.equal((await orgOverview(ctx, { org: org.id }))?.content, 'By hand.');
  });

  it('stand by rule when the model is out of reach', async (t) => {
    const { ctx, org } = await open();
    const world = await startOutsideWorld();
    t.after(() => world.close());
    const settings = { provider: 'openai' as const, url: `${world.url}/none`, key: null, name: 'small' };
    await writeAll(ctx, createModel(settings, { fetch: world.fetch(), clock: () => new Date() }));
    await assertTrue(ctx, await orgOverview(ctx, { org: org.id }));
  });
});

function mapped(requested: Record<string, string>, say: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(requested).map(([key, text]) => [key, say(text)]));
}
