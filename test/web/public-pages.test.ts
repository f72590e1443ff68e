// Public pages over HTTP, as in a browser without script.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { load } from 'cheerio';
import type { Context } from '../../src/context.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

const NOW = '2026-03-31T12:00:00.000Z';

forEachEngine('public pages', (engine) => {
  let started: Promise<{ ctx: Context; service: Service }> | null = null;
  const start = () => {
    started ??= engine.openTestApp({ clock: () => new Date(NOW) }).then(async (app) => {
      const ctx = as(app.ctx, 'write');
      return { ctx, service: await startService(app) };
    });
    return started;
  };
  const get = async (path: string) => {
    const { service } = await start();
    const response = await fetch(`${service.url}${path}`, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const post = async (path: string, body: FormData | URLSearchParams) => {
    const { service } = await start();
    const response = await fetch(`${service.url}${path}`, { method: 'POST', body });
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
  };
  // A product whose source published a breaking release a few weeks ago.
  const makeProduct = async () => {
    const { ctx } = await start();
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id);
    const source = await createSource(ctx, { orgId: org.id, productId: product.id });
    await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { publishedAt: '2025-01-08T09:00:00.000Z' }),
      releaseRow('2.0.0', {
        publishedAt: '2026-03-04T09:00:00.000Z',
        content: '### Removed\n- The option `old` is gone.\n\n### Upgrading\n- Use `new` instead of `old`.',
        breaking: 'major',
        migrationNotes: '- Use `new` instead of `old`.',
      }),
    ]);
    return { org, product, source };
  };

  it('weekly bars tell weeks with a breaking release, over the range that is asked for', async () => {
    const { org, product, source } = await makeProduct();
    for (const slug of [product.slug, source.slug]) {
      const usual = await get(`/${org.slug}/${slug}`);
      assert.match(usual.text, /1 release in 26 weeks; 1 week with a breaking release/);
      assert.match(usual.text, /<rect class="major"/);
      const long = await get(`/${org.slug}/${slug}?from=2024-04-08`);
      assert.match(long.text, /2 releases in 104 weeks/);
      const broken = await get(`/${org.slug}/${slug}?from=soon&to=2026-02-31`);
      assert.match(broken.text, /1 release in 26 weeks/);
    }
  });

  it('a list adds up to the count above it: it says how many pre-releases it leaves out', async () => {
    const { ctx } = await start();
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    const versions = ['1.0.0-rc.1', '1.0.0', '1.1.0-beta.1', '1.1.0'];
    await postReleases(
      ctx,
      source.id,
      versions.map((version) => releaseRow(version)),
      { silent: true },
    );
    for (const path of [`/${org.slug}`, `/${org.slug}/${source.slug}`]) {
      const $ = load((await get(path)).text);
      assert.match($('main').text(), /2 pre-releases are left out\./, path);
      const all = load((await get($('a:contains("Show pre-releases")').attr('href') ?? '')).text);
      assert.equal(all('[data-release-id]').length, $('[data-release-id]').length + 2, path);
      assert.doesNotMatch(all('main').text(), /left out/, path);
    }
  });

  it('reports on the files of a project: pasted, uploaded, as text and as data', async () => {
    const { ctx, service } = await start();
    const { source } = await makeProduct();
    const name = `kit-${source.slug}`;
    const mapped = await service.root.put('/v1/packages', { ecosystem: 'npm', name, sourceId: source.id });
    assert.ok(mapped.status < 300, mapped.text);
    const manifest = (version: string) =>
      JSON.stringify({ dependencies: { [name]: version, 'nobody-knows': version, fresh: '*' } });

    const files = new FormData();
    files.set('old', new File([manifest('^1.0.0')], 'package.json'));
    files.set('new', new File([manifest('^2.0.0')], 'package.json'));
    const page = await post('/whats-changed', files);
    assert.equal(page.status, 200);
    assert.match(page.text, /data-page="whats-changed"/);
    assert.match(page.text, /1 of 2 packages breaks/);
    assert.match(page.text, /<tr data-level="major">.*?Use <code>new<\/code> instead of <code>old<\/code>/s);
    assert.match(page.text, /<tr data-level="not_tracked">.*?nobody-knows.*?No tracked source is mapped/s);

    const pasted = new URLSearchParams({ text: manifest('^1.0.0'), format: 'md' });
    const markdown = await post('/whats-changed', pasted);
    assert.match(markdown.type ?? '', /^text\/markdown/);
    assert.match(
      markdown.text,
      /2 changed packages: 1 breaking, 0 minor, 0 without a break, 0 not known, 1 not tracked\./,
    );
    assert.match(markdown.text, /`fresh` admits every version/);

    const again = /name="read" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const data = await post('/whats-changed', new URLSearchParams({ read: again, format: 'json', breaking: '1' }));
    const report = JSON.parse(data.text) as { totals: object; rows: { name: string; answer: { total: number } }[] };
    assert.deepEqual(report.totals, { major: 1, minor: 0, unknown: 0, none: 0, not_tracked: 1 });
    assert.deepEqual(
      report.rows.map((row) => [row.name, row.answer.total]),
      [[name, 1]],
    );

    const refused = await post('/whats-changed', new URLSearchParams({ text: '<b>hello</b>' }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /role="alert".*neither a diff nor/s);
    const large = await post('/whats-changed', new URLSearchParams({ text: 'x'.repeat(1_100_000) }));
    assert.deepEqual([large.status, /larger than 1 MB/.test(large.text)], [422, true]);
    const huge = await post('/whats-changed', new URLSearchParams({ text: 'x'.repeat(4_000_000) }));
    assert.equal(huge.status, 413);
    const stored = await ctx.store.read.selectFrom('audit_log').select('action').execute();
    assert.ok(!stored.some(({ action }) => action.includes('whats')));
  });

  it('tells beside the form what is wrong with a question', async () => {
    const { org, source } = await makeProduct();
    const wrong = await get(`/whats-changed?org=${org.slug}&package=${source.slug}&from=2.0.0&to=1.0.0`);
    assert.equal(wrong.status, 200);
    assert.match(wrong.text, /class="notice box" data-level="warning"/);
    const none = await get(`/whats-changed?org=${org.slug}&package=${source.slug}&from=2.0.0&to=latest`);
    assert.doesNotMatch(none.text, /Not known: 0 releases/);
  });

  it('a search without hits tells the nearest names, the domain and the filters that could go', async () => {
    const { ctx } = await start();
    const near = await get('/search?q=sourec-3&filter=orgs&range=30d');
    assert.match(near.text, /Nothing holds “sourec-3”/);
    assert.match(near.text, /href="\/search\?q=sourec-3&amp;range=30d">Search without “Organizations”/);
    assert.match(near.text, /href="\/search\?q=sourec-3&amp;filter=orgs">Search without “30 days”/);
    // The search itself tolerates typing mistakes in names of the catalog; only the suggestions know names of packages.
    const { id: sourceId, slug } = await createSource(ctx);
    const { service } = await start();
    await service.root.put('/v1/packages', { ecosystem: 'npm', name: 'quillbramble', sourceId });
    const found = (await get('/search?q=quillbrambel')).text;
    assert.ok(found.includes(`Did you mean <a href="/search?q=${slug}">`), found);
    assert.match(
      (await get('/search?q=zzyxnobody.test')).text,
      /No organization of this registry has the domain zzyxnobody\.test/,
    );
  });

  it('an empty list of a product says why: not followed, or not read yet', async () => {
    const { ctx } = await start();
    const org = await createOrg(ctx);
    const product = await createProduct(ctx, org.id);
    assert.match((await get(`/${org.slug}/${product.slug}`)).text, /does not follow .* yet/);
    const { slug } = await createProduct(ctx, org.id).then(async (other) => {
      await createSource(ctx, { orgId: org.id, productId: other.id });
      return other;
    });
    assert.match((await get(`/${org.slug}/${slug}`)).text, /Not read yet/);
  });
});
