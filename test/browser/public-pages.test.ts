// Every type of public page in a real browser: usable by everyone, on every screen, within the policy, without others.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { openSite, publicPages, type Site, violations } from './site.ts';

forEachEngine('public pages', (engine) => {
  // What a browser sees does not depend on the engine; the pages' own tests run on both.
  if (engine.name !== 'sqlite') return;
  let site: Site | null;
  before(async () => {
    site = await openSite(engine);
  });
  after(() => site?.close());

  it('pass axe in both themes at 360 and 1440 px, and never scroll sideways', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints } = await site.open();
    const findings: string[] = [];
    for (const { name, path } of await publicPages(site.service)) {
      await page.goto(path);
      for (const [width, scheme, rules] of [
        [1440, 'light', undefined],
        [1440, 'dark', ['color-contrast']],
        [360, 'dark', undefined],
        [360, 'light', ['color-contrast']],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        const found = await violations(page, rules && [...rules]);
        findings.push(...found.map((line) => `${name}, ${width} px, ${scheme}: ${line}`));
      }
      await page.setViewportSize({ width: 320, height: 640 });
      const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (scrolled > 320) findings.push(`${name} is ${scrolled} px wide on a screen of 320 px`);
      findings.push(...complaints.splice(0).filter((line) => name !== 'not found' || !line.includes('404')));
    }
    assert.deepEqual(findings, []);
  });

  it('search, filter and check an upgrade without script', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page, complaints } = await site.open({ javaScriptEnabled: false });
    const { service } = site;

    await page.goto('/');
    await page.fill('main [data-form=search] input', 'fix');
    await page.press('main [data-form=search] input', 'Enter');
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
});
