// Every type of public page in a real browser: accessible, on every screen, within the content security policy, without
// requests to other hosts.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { HOSTILE_RELEASES } from '../hostile/releases.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { type CheckedPage, openSite, publicPages, type Site } from './site.ts';

const RIGHT_TO_LEFT = [
  'تمت إزالة `old` في هذا الإصدار.',
  '1. واحد\n2. اثنان',
  '> اقتباس',
  `| الاسم | القيمة |\n|---|---|\n| \`${'option'.repeat(9)}\` | هذا وصف طويل للخيار الأول |`,
  `\`\`\`js\nconst result = await client.read({ ${'option: true, '.repeat(9)} });\n\`\`\``,
].join('\n\n');

forEachEngine('public pages', (engine) => {
  // What a browser shows does not depend on the engine; the pages' own tests run on both.
  if (engine.name !== 'sqlite') return;
  let site: Site | null;
  // One page for all checks, because opening one loads axe.
  let checked: CheckedPage;
  before(async () => {
    site = await openSite(engine);
    if (site) checked = await site.openCheckable();
  });
  after(() => site?.close());

  it('would not pass with a fault that one size or one theme has', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, findingsOn } = checked;
    // Runs first: the content security policy of our own pages would forbid its inline styles.
    const show = (style: string, more = '') =>
      page.setContent(`<!doctype html><html lang="en"><title>Faint</title><style>:root { color-scheme: light dark }
        body { background: light-dark(white, black); color: light-dark(black, white) } ${style}</style>
        <main><h1>Faint</h1><p class="note">A text</p><p>A <a href="/">link</a> in it, and more text</p>${more}</main>`);
    await show('');
    assert.deepEqual(await findingsOn('plain'), []);
    await show('.note { color: light-dark(black, #333) }');
    assert.match((await findingsOn('dark')).join('\n'), /^dark, 1440 px, dark: color-contrast: \.note: .*$/);
    await show('@media (width < 400px) { .note { background: light-dark(#222, black) } }');
    assert.match((await findingsOn('small')).join('\n'), /^small, 360 px, light: color-contrast: \.note: .*$/);
    await show('a { text-decoration: none; color: light-dark(#111, white) }');
    assert.match((await findingsOn('links')).join('\n'), /^links, 1440 px, light: link-in-text-block: a: /);
    await show('@media (width > 400px) { button { display: none } }', '<button></button>');
    assert.match((await findingsOn('menu')).join('\n'), /^menu, 360 px, dark: button-name: button: .*$/);
    const buttons = '<div><button>A</button><button>B</button></div>';
    await show('button { all: unset } @media (width > 400px) { button { padding: 1em } }', buttons);
    assert.match((await findingsOn('touch')).join('\n'), /^touch, 360 px, dark: target-size: button:/);
  });

  it('pass axe in both themes at 360 and 1440 px, and never scroll sideways', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints, findingsOn } = checked;
    const findings: string[] = [];
    for (const { name, path } of await publicPages(site.service)) {
      await page.goto(path);
      findings.push(...(await findingsOn(name)));
      findings.push(...complaints.splice(0).filter((line) => name !== 'not found' || !line.includes('404')));
    }
    assert.deepEqual(findings, []);
  });

  it('lockfiles are compared without script, and form, error and report pass axe', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { items } = (await site.service.anonymous.get('/v1/packages?limit=100')).body;
    const names = items.flatMap(({ ecosystem, name }: { ecosystem: string; name: string }) =>
      ecosystem === 'npm' ? [name] : [],
    );
    const lock = (version: string) => {
      const installed = [...names, 'nobody-knows'].map((name) => [`node_modules/${name}`, { version }]);
      const tool = { version: '1.0.0', resolved: `git+https://x.example/tool#${version.length}abcdef0` };
      const packages = { '': { dependencies: { [names[0]]: '*' } }, 'node_modules/tool': tool };
      return JSON.stringify({ lockfileVersion: 3, packages: { ...packages, ...Object.fromEntries(installed) } });
    };
    const plain = await site.open({ javaScriptEnabled: false });
    await plain.page.goto('/whats-changed?input=files');
    assert.equal(await plain.page.locator('textarea:visible').count(), 1, 'one input of the form shows');
    await plain.page.locator('.segmented label', { hasText: 'Two lockfiles' }).click();
    await plain.page.fill('[name=old_text]', lock('0.0.1'));
    await plain.page.fill('[name=new_text]', `${lock('99.0.0')}]`);
    await plain.page.click('main button:has-text("Compare")');
    assert.match((await plain.page.textContent('.errors')) ?? '', /Line 1 is not JSON/);
    await plain.page.fill('[name=new_text]', lock('99.0.0'));
    await plain.page.click('main button:has-text("Compare")');
    assert.match(plain.page.url(), /\/reports\/[\w-]{22}$/);
    assert.match((await plain.page.textContent('.answer h1')) ?? '', /of \d+ changed packages break/);
    const rows = plain.page.locator('.pkgs > li:visible');
    assert.ok((await rows.count()) > 0, 'what breaks is listed');
    await plain.page.locator('#not-known ~ p a').click();
    assert.match(plain.page.url(), /\?group=not-known$/);
    assert.ok(
      (await rows.allTextContents()).some((row) => row.includes('nobody-knows')),
      'a group opens without script',
    );

    const { page, complaints, findingsOn } = checked;
    const compare = () => page.dispatchEvent('main button:has-text("Compare")', 'click');
    await page.goto('/whats-changed?input=files');
    await page.fill('[name=text]', '{ "a" 1 }');
    await compare();
    await page.waitForSelector('.errors');
    assert.deepEqual(await findingsOn('lockfile that cannot be read'), []);
    await page.locator('.segmented label', { hasText: 'Two lockfiles' }).dispatchEvent('click');
    await page.fill('[name=old_text]', lock('0.0.1'));
    await page.fill('[name=new_text]', lock('99.0.0'));
    await compare();
    await page.waitForSelector('.answer');
    assert.deepEqual(await findingsOn('report on two lockfiles'), []);
    complaints.splice(0);
  });

  it('search, filter and check an upgrade without script', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints } = await site.open({ javaScriptEnabled: false });
    const { service } = site;

    await page.goto('/');
    await page.fill('main [data-form=ask] input', 'fix');
    await page.press('main [data-form=ask] input', 'Enter');
    await page.waitForURL('**/search?q=fix*');
    assert.ok((await page.locator('[data-release-id]').count()) > 0, 'the search shows hits');

    const { items } = (await service.anonymous.get('/v1/orgs?featured=true&limit=1')).body;
    await page.goto(`/${items[0].slug}`);
    await page.fill('[data-form=filter] input[type=search]', 'nothing says this');
    await page.click('[data-form=filter] button[type=submit]');
    assert.equal(await page.locator('[data-release-id]').count(), 0);
    const empty = (await page.textContent('main')) ?? '';
    assert.match(empty, /filter/i, 'an empty list says that filters hide everything');
    await page.click('main a:has-text("Clear")');
    assert.ok((await page.locator('[data-release-id]').count()) > 0);

    const { releases } = (await service.anonymous.get('/v1/releases/latest?count=50')).body;
    const known = releases.find(
      (release: { product: unknown; version: string | null }) => release.product && release.version,
    );
    await page.goto('/whats-changed');
    const form = page.locator('main [data-form=whats-changed]').first();
    await form.locator('[name=package]').fill(known.product.slug);
    await form.locator('[name=from]').fill('0.0.1');
    await form.locator('[name=to]').fill(known.version);
    await Promise.all([page.waitForURL('**/whats-changed?*package=*'), form.locator('[name=to]').press('Enter')]);
    assert.equal(await page.locator('main').getAttribute('data-page'), 'whats-changed');
    assert.match((await page.textContent('main')) ?? '', new RegExp(known.version.replaceAll('.', '\\.')));
    assert.deepEqual(complaints, []);
  });

  it('a group of the API reference passes axe in both themes at 360 and 1440 px', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints, findingsOn } = checked;
    await page.goto('/v1/docs');
    // Two hundred operations look alike, so the expanded ones of a small group represent them all.
    await page.fill('#filter', 'batch whole lockfile');
    await page.locator('.call-list a:visible', { hasText: '/v1/whats-changed/batch' }).dispatchEvent('click');
    await page.waitForURL('**/v1/docs/upgrades#call-postwhatschangedbatch');
    await page.locator('#call-postwhatschangedbatch[open] form').waitFor();
    await page.locator('#call-getwhatschanged summary').first().dispatchEvent('click');
    const findings = await findingsOn('a group of the reference');
    assert.deepEqual([...findings, ...complaints.splice(0)], []);
  });

  it('the API reference is read without script, and an address on its first page leads to the call or schema', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const plain = await site.open({ javaScriptEnabled: false });
    await plain.page.goto('/v1/docs');
    assert.equal(await plain.page.locator('#filter:visible').count(), 0, 'there is no filter that does nothing');
    await plain.page.locator('.call-list a', { hasText: '/v1/whats-changed/batch' }).click();
    assert.equal(new URL(plain.page.url()).pathname, '/v1/docs/upgrades');
    const call = plain.page.locator('#call-postwhatschangedbatch');
    if ((await call.getAttribute('open')) === null) await call.locator('summary').first().click();
    await call.locator('h3', { hasText: 'Errors' }).waitFor();
    await call.locator('a:visible[href^="/v1/docs/schemas/"]').first().click();
    assert.match(plain.page.url(), /\/v1\/docs\/schemas\/\w+$/);
    assert.ok((await plain.page.locator('.params > li:visible').count()) > 0);

    const { page, complaints } = await site.open();
    await page.goto('/v1/docs#schema-Error');
    await page.waitForURL('**/v1/docs/schemas/Error');
    await page.goto('/v1/docs#call-getreleaseslatest');
    await page.waitForURL('**/v1/docs/releases#call-getreleaseslatest');
    await page.locator('#call-getreleaseslatest[open]').waitFor();
    assert.deepEqual([...plain.complaints, ...complaints], []);
  });

  it('hostile releases run nothing in a real browser', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { root, anonymous } = site.service;
    await root.post('/v1/orgs', { name: 'Hostile', slug: 'hostile' });
    const source = {
      name: 'Hostile notes',
      slug: 'hostile-notes',
      url: 'https://hostile.example/notes',
      type: 'agent',
    };
    const { id } = (await root.post('/v1/sources', { ...source, orgSlug: 'hostile' })).body;
    // Inserted over the API, which refuses invalid URLs and texts that no database can store.
    const rows = HOSTILE_RELEASES.map(({ title, content }, index) => ({
      title: title.replaceAll(/\p{Cc}/gu, ''),
      content: content.replaceAll('\u0000', ''),
      version: `${index}.0.0`,
    }));
    const batch = await root.post(`/v1/sources/${id}/releases/batch`, { releases: rows, silent: true });
    assert.equal(batch.status, 200, JSON.stringify(batch.body));
    const { insertedIds } = batch.body;
    assert.ok(insertedIds.length >= 200, `${insertedIds.length} hostile releases`);
    const { page, complaints } = await site.open();
    let next: string | null = '/hostile';
    for (let pages = 0; next !== null && pages < 10; pages += 1) {
      await page.goto(next);
      next = await page
        .locator('a[rel=next]')
        .first()
        .getAttribute('href', { timeout: 1 })
        .catch(() => null);
    }
    for (const release of insertedIds.filter((_: string, index: number) => index % 10 === 0))
      await page.goto(`/release/${release}`);
    assert.equal(await page.evaluate('typeof window.pwned'), 'undefined');
    assert.deepEqual(complaints, []);
    assert.equal((await anonymous.get('/v1/orgs/hostile')).status, 200);
  });

  it('names without a break and text from right to left fit a phone, and print without forms', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { root } = site.service;
    const long = 'Unbroken'.repeat(14);
    const org = (await root.post('/v1/orgs', { name: long, slug: 'long-name', description: long })).body;
    const source = {
      name: long,
      slug: 'long-source',
      url: 'https://long.example/notes',
      type: 'agent',
      orgSlug: org.slug,
    };
    const { id } = (await root.post('/v1/sources', source)).body;
    const rows = [
      { title: long, version: `1.0.0-${'x'.repeat(80)}`, prerelease: false, content: `${long}\n\n- ${long}` },
      { title: 'تمت إزالة الخيار القديم', version: '2.0.0', content: RIGHT_TO_LEFT },
    ];
    const { insertedIds } = (await root.post(`/v1/sources/${id}/releases/batch`, { releases: rows })).body;
    const { page } = await site.open({ viewport: { width: 360, height: 800 } });
    for (const path of [
      '/',
      `/${org.slug}`,
      `/${org.slug}/long-source`,
      `/release/${insertedIds[0]}`,
      `/release/${insertedIds[1]}`,
      '/search?q=Unbroken',
    ]) {
      await page.goto(path);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, path);
    }
    // Beside the text, where reading begins.
    await page.goto(`/release/${insertedIds[1]}`);
    const sides = `(() => { const { paddingRight, paddingLeft } = getComputedStyle(document.querySelector('.prose ol')); return [paddingLeft, paddingRight === '0px']; })()`;
    assert.deepEqual(await page.evaluate(sides), ['0px', false]);
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.prose pre')).direction"), 'ltr');
    await page.goto(`/${org.slug}`);
    await page.evaluate('window.arabic = (link) => link.textContent.includes("تمت")');
    const direction = 'getComputedStyle([...document.querySelectorAll(".row-title a")].find(arabic)).direction';
    assert.equal(await page.evaluate(direction), 'rtl');
    for (const width of [360, 760]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/packages/npm/lantern-gaps?pre=1');
      const lines = '[...document.querySelectorAll(".table .version")].map((one) => one.offsetHeight < 30)';
      const shown = await page.evaluate<boolean[]>(lines);
      assert.ok(shown.length > 5 && shown.every(Boolean), `no version breaks at ${width} px`);
    }
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('form:visible').count(), 0);
    await page.context().close();
  });

  it('the operator area passes axe in both themes at 360 and 1440 px', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints, findingsOn } = checked;
    const findings: string[] = [];
    const look = async (path: string) => {
      findings.push(...(await findingsOn(path)));
    };
    await page.goto('/admin');
    await look('sign-in');
    await page.fill('#token', ROOT_KEY);
    await Promise.all([page.waitForNavigation(), page.dispatchEvent('main button[type=submit]', 'click')]);
    assert.match(page.url(), /\/admin$/);
    const { items } = (await site.service.root.get('/v1/orgs?featured=true&limit=1')).body;
    await look('/admin');
    for (const path of [
      `/admin/sources?q=${items[0].slug}`,
      '/admin/packages',
      '/admin/fetch-log',
      '/admin/stuck',
      '/admin/add',
      '/admin/orgs',
      `/admin/orgs/${items[0].slug}`,
      '/admin/collections',
      '/admin/notice',
      '/admin/tokens',
      '/admin/webhooks',
      '/admin/audit',
      `/admin/view/${items[0].slug}`,
    ]) {
      await page.goto(path);
      await look(path);
    }
    // The open fetch log shows new fetches.
    await page.goto('/admin/fetch-log');
    const [first] = (await site.service.root.get('/v1/sources?limit=1')).body.items;
    const fetched = { sourceId: first.id, status: 'success', releasesFound: 73, releasesInserted: 0 };
    await site.service.root.post('/v1/admin/logs/fetch', fetched);
    await page.locator('[data-tail] td', { hasText: /^73$/ }).waitFor();
    findings.push(...complaints.splice(0).filter((line) => !line.includes('401')));
    assert.deepEqual(findings, []);
  });
});
