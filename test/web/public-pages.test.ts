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
      assert.match(usual.text, /1 release in 26 weeks; 1 week with a release that breaks/);
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
      JSON.stringify({
        dependencies: {
          [name]: version,
          'nobody-knows': version,
          fresh: version === '^1.0.0' ? '*' : version,
        },
      });

    const files = new FormData();
    files.set('old', new File([manifest('^1.0.0')], 'package.json'));
    files.set('new', new File([manifest('^2.0.0')], 'package.json'));
    const page = await post('/whats-changed', files);
    assert.match(page.text, /data-page="report"/);
    assert.match(page.text, /1 of 2 changed packages breaks, a direct dependency/);
    assert.match(
      page.text,
      /class="pk" data-level="major"[^>]*>.*?Use <code>new<\/code> instead of <code>old<\/code>/s,
    );
    assert.match(page.text, /1 not known: 1 has no notes and no findings/);
    assert.match(page.text, /1 without versions that can be compared/);
    // A page for people says nothing of the interface for programs.
    const main = page.text.slice(page.text.indexOf('<main'), page.text.indexOf('</main'));
    const words = main.replaceAll(/<input type="hidden"[^>]*>|<[^>]+>/g, ' ');
    assert.doesNotMatch(words, /POST |\/v1\/|ecosystem=|package=|\d{4}-\d\d-\d\dT|mapped to/);

    const pasted = new URLSearchParams({ text: manifest('^1.0.0'), format: 'md' });
    const markdown = await post('/whats-changed', pasted);
    assert.match(markdown.type ?? '', /^text\/markdown/);
    assert.match(markdown.text, /### 1 update breaks, a direct dependency\n\n1 breaks, 2 not known\./);
    assert.match(markdown.text, /`fresh` .* Its range admits every version/);

    const change = { ecosystem: 'npm', from: '1.0.0', to: '2.0.0' };
    const upgrades = [
      { ...change, name },
      { ...change, name: 'nobody-knows' },
    ];
    const again = JSON.stringify({ kind: 'diff', upgrades, omitted: 0, others: [] });
    const data = await post('/whats-changed', new URLSearchParams({ read: again, format: 'json', breaking: '1' }));
    const report = JSON.parse(data.text) as { totals: object; rows: { name: string; answer: { total: number } }[] };
    assert.deepEqual(report.totals, { major: 1, minor: 0, unknown: 0, none: 0, not_tracked: 1 });
    assert.deepEqual(
      report.rows.map((row) => [row.name, row.answer.total]),
      [[name, 1]],
    );

    const hostile = [{ ...change, name: `a' autofocus x="<b>&amp;` }];
    const sentBack = JSON.stringify({ kind: 'diff', upgrades: hostile, omitted: 0, others: [] });
    const redrawn = await post('/whats-changed', new URLSearchParams({ read: sentBack }));
    assert.doesNotMatch(redrawn.text, /autofocus x=/);

    const refused = await post('/whats-changed', new URLSearchParams({ text: '<b>hello</b>' }));
    assert.equal(refused.status, 422);
    assert.match(refused.text, /role="alert".*neither a diff nor/s);
    assert.match(refused.text, /<textarea[^>]* name="text"[^>]*aria-invalid="true">\n&lt;b>hello/);
    const large = await post('/whats-changed', new URLSearchParams({ text: 'x'.repeat(16_800_000) }));
    assert.deepEqual([large.status, /larger than 16 MB/.test(large.text)], [422, true]);
    const huge = await post('/whats-changed', new URLSearchParams({ text: 'x'.repeat(18_000_000) }));
    assert.equal(huge.status, 413);
    const stored = await ctx.store.read.selectFrom('audit_log').select('action').execute();
    assert.ok(!stored.some(({ action }) => action.includes('whats')));
  });

  it('keeps what was pasted, and says at which line it stops being readable', async () => {
    const broken = '{\n  "name": "app",\n  "lockfileVersion": 3\n  "packages": {}\n}';
    const fine = '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0"}}}';
    const sent = { mode: 'both', text: 'kept & </textarea><b>', old_text: fine, new_text: broken, diff: '' };
    const page = await post('/whats-changed', new URLSearchParams(sent));

    assert.equal(page.status, 422);
    const problem = 'Line 3 is not JSON: a comma is missing after “lockfileVersion”.';
    assert.ok(page.text.includes(`<a href="#wf-new-text">${problem} Your text is kept below.</a>`));
    assert.ok(page.text.includes(`${problem} <code class="at-line">3: &quot;lockfileVersion&quot;: 3</code>`));
    assert.match(page.text, /value="both" id="wf-m-both" checked/);
    // A label names the first element of its id.
    const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    const areas = [...page.text.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>\n([^<]*)</g)];
    assert.deepEqual(
      areas.map(([, name, text]) => [name, text]),
      [
        ['text', 'kept &amp; &lt;/textarea>&lt;b>'],
        ['old_text', fine],
        ['new_text', broken],
        ['diff', ''],
      ],
    );
    assert.equal(page.text.match(/aria-invalid="true"/g)?.length, 1);

    // A long line is quoted in part, and never ends in half a character.
    const long = `{\n${'a'.repeat(119)}😀${'b'.repeat(50)}`;
    const quoted = await post('/whats-changed', new URLSearchParams({ mode: 'one', text: long }));
    assert.ok(quoted.text.includes(`<code class="at-line">2: ${'a'.repeat(119)}😀</code>`), quoted.text.slice(0, 4000));

    // The text of a file that cannot be read stays, too.
    const files = new FormData();
    files.set('mode', 'one');
    files.set('file', new File([broken], 'package-lock.json'));
    const uploaded = await post('/whats-changed', files);
    assert.ok(uploaded.text.includes(`aria-invalid="true">\n${broken}</textarea>`));
  });

  it('takes one lockfile: what the newest stored versions would bring', async () => {
    const { service } = await start();
    const { source } = await makeProduct();
    const name = `one-${source.slug}`;
    await service.root.put('/v1/packages', { ecosystem: 'npm', name, sourceId: source.id });
    const packages = {
      '': { dependencies: { [name]: '^1.0.0', tool: 'git+https://x.example/tool' } },
      [`node_modules/${name}`]: { version: '1.0.0' },
      'node_modules/tool': { version: '1.0.0', resolved: 'git+https://x.example/tool#abcdef0' },
    };
    const text = JSON.stringify({ lockfileVersion: 3, packages });
    const page = await post('/whats-changed', new URLSearchParams({ mode: 'one', text, diff: 'not compared' }));

    assert.match(page.text, /A lockfile, compared with the newest versions<\/b>: 1 package, 1 of them/);
    assert.match(page.text, /1 update breaks, a direct dependency/);
    assert.doesNotMatch(page.text, /class="pname">tool/);
  });

  it('rows of a report: downgrades, and what comes from no registry, are called what they are', async () => {
    const lock = (low: string, commit: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { tool: 'git+https://x.example/tool' }, devDependencies: { low: '*' } },
          'node_modules/tool': { version: '1.0.0', resolved: `git+https://x.example/tool#${commit}` },
          'node_modules/low': { version: low, dev: true },
        },
      });
    const sent = { mode: 'both', old_text: lock('2.0.0', 'aaaaaaa1111'), new_text: lock('1.0.0', 'bbbbbbb2222') };
    const page = await post('/whats-changed', new URLSearchParams(sent));
    assert.match(
      page.text,
      /1 from git, folders or archives, 1 without versions that can be compared\. They are counted only/,
    );
    assert.doesNotMatch(page.text, /x\.example/);
    const markdown = await post('/whats-changed', new URLSearchParams({ ...sent, format: 'md' }));
    assert.match(
      markdown.text,
      /\| `low` \(dev\) \| 2\.0\.0 → 1\.0\.0 \| Goes to a lower version, which is not judged \|/,
    );
    assert.match(markdown.text, /Not from a registry: `tool` \(git\)/);
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
    assert.match(near.text, /Nothing matches “sourec-3”/);
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
