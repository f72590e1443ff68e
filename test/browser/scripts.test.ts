// The scripts of the pages in a real browser: quick search, live rows, theme, notices, search while typing.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { forEachEngine } from '../support/engines.ts';
import { openSite, type Site } from './site.ts';

// Finds an operation by a word of a parameter's description, reads its examples, and tries calls with and without a
// body.
async function seeReference(page: Page): Promise<void> {
  await page.fill('#filter', 'owner/name of a GitHub repository');
  const found = await page.locator('.call-list > li:visible a > code').allTextContents();
  assert.ok(found.includes('/v1/lookups/source-by-coordinate'), found.join());
  assert.ok(!found.includes('/v1/releases/latest'), found.join());
  assert.match((await page.textContent('#found')) ?? '', new RegExp(`^${found.length} of \\d+ calls$`));

  await page.fill('#filter', 'batch whole lockfile');
  await page.locator('.call-list a:visible', { hasText: '/v1/whats-changed/batch' }).click();
  await page.waitForURL('**/v1/docs/upgrades#call-postwhatschangedbatch');
  const batch = page.locator('#call-postwhatschangedbatch');
  await batch.locator('form').waitFor();
  assert.match((await batch.textContent()) ?? '', /Anyone may call it\./);
  assert.match((await batch.textContent()) ?? '', /curl -X POST .*await fetch\(/s);
  const body = batch.locator('textarea');
  assert.equal(JSON.parse(await body.inputValue()).items[0].package, 'acme-cli');
  await batch.locator('form button').click();
  await batch.locator('pre.answer', { hasText: '"items"' }).waitFor();

  await page.locator('.side-nav a', { hasText: 'Guide and all calls' }).click();
  await page.fill('#filter', '');
  await page.locator('.call-list a:visible', { hasText: '/v1/releases/latest' }).first().click();
  const latest = page.locator('#call-getreleaseslatest');
  await latest.locator('form').waitFor();
  assert.match((await latest.locator('[data-name=count]').textContent()) ?? '', /default 10/);
  await latest.locator('input[name=count]').fill('1');
  await latest.locator('form button').click();
  await latest.locator('pre.answer', { hasText: '"releases"' }).waitFor();
}

forEachEngine('scripts of the pages', (engine) => {
  // The behaviour of a browser does not depend on the engine.
  if (engine.name !== 'sqlite') return;
  let site: Site | null;
  before(async () => {
    site = await openSite(engine);
  });
  after(() => site?.close());

  const withPage =
    (work: (page: Page, open: Site) => Promise<void>, allowed?: RegExp) =>
    async (test: { skip(why: string): void }) => {
      if (!site) return test.skip('no browser on this platform');
      const { page, complaints } = await site.open();
      await work(page, site);
      assert.deepEqual(
        complaints.filter((line) => !allowed?.test(line)),
        [],
      );
      await page.context().close();
    };

  it(
    'quick search opens by key, follows what is typed, and leads to a hit',
    withPage(async (page, { service }) => {
      const { items } = (await service.anonymous.get('/v1/orgs?limit=1')).body;
      // On the home page the field has the focus, and a slash is text in it.
      await page.goto('/catalog');
      const dialog = page.locator('dialog.dialog');
      for (const key of ['Control+k', 'Meta+k', '/', '/']) {
        await page.keyboard.press(key);
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      }
      await page.keyboard.press('Control+k');
      await dialog.getByText('Search everything').waitFor();
      await page.keyboard.press('Escape');
      await page.focus('#hq');
      await page.keyboard.press('/');
      assert.equal(await dialog.isVisible(), false, 'a slash is text inside of a field');
      await page.keyboard.press('Control+k');
      await page.keyboard.type(items[0].name);
      const chosen = dialog.locator('[role=option][aria-selected=true]');
      await dialog.getByText(`Search everything for “${items[0].name}”`).waitFor();
      await page.keyboard.press('ArrowDown');
      assert.notEqual(await chosen.getAttribute('href'), null);
      assert.match((await dialog.locator('[role=option]').last().textContent()) ?? '', /^Search everything for/);
      for (let row = 0; (await chosen.getAttribute('href')) !== `/${items[0].slug}`; row += 1) {
        assert.ok(row < 12, 'the organization is found');
        await page.keyboard.press('ArrowDown');
      }
      await Promise.all([page.waitForURL(`**/${items[0].slug}`), page.keyboard.press('Enter')]);
    }),
  );

  it(
    'a release that comes in stands on the live page, behind a button for those who read or pause',
    withPage(async (page, { ctx, service }) => {
      const { items } = (await service.anonymous.get('/v1/sources?limit=1')).body;
      const publish = async (version: string) => {
        const row = { title: `Live ${version}`, version, content: '- New', url: `https://live.example/${version}` };
        const posted = await service.root.post(`/v1/sources/${items[0].id}/releases?announce=true`, {
          ...row,
          publishedAt: ctx.clock().toISOString(),
        });
        assert.equal(posted.status, 201, posted.text);
      };
      await page.goto('/live');
      await page.locator('[data-live-state]', { hasText: 'Watching' }).waitFor();
      await publish('91.0.1');
      const rows = page.locator('[data-live] [data-release-id]');
      await rows.filter({ hasText: '91.0.1' }).waitFor();
      assert.match((await rows.first().textContent()) ?? '', /91\.0\.1/);

      await page.click('[data-live-pause]');
      const before = await rows.count();
      await publish('91.0.2');
      const waiting = page.locator('[data-live-new]', { hasText: '1 new' });
      await waiting.waitFor();
      assert.equal(await rows.count(), before);
      assert.equal(await page.locator('[data-live-state]').textContent(), 'Paused');
      await waiting.click();
      assert.match((await rows.first().textContent()) ?? '', /91\.0\.2/);
      const ids = await rows.evaluateAll((all) =>
        all.map((row) => (row as unknown as { dataset: { releaseId: string } }).dataset.releaseId),
      );
      assert.equal(new Set(ids).size, ids.length);
    }),
  );

  it(
    'without the stream the live page asks for the latest releases',
    withPage(async (page) => {
      await page.route('**/v1/releases/stream*', (route) => route.fulfill({ status: 204, body: '' }));
      await Promise.all([page.waitForRequest('**/v1/releases/latest*'), page.goto('/live')]);
      await page.locator('[data-live-state]', { hasText: 'Asking every 15 seconds' }).waitFor();
    }),
  );

  it(
    'the theme and a dismissed notice are remembered',
    withPage(async (page) => {
      await page.goto('/catalog');
      const theme = () => page.evaluate<string | null>('document.documentElement.dataset.theme ?? null');
      await page.click('[data-theme-toggle]');
      assert.equal(await theme(), 'light');
      await page.click('[data-theme-toggle]');
      await page.reload();
      assert.equal(await theme(), 'dark');
      await page.click('[data-theme-toggle]');
      assert.equal(await theme(), null);

      const notice = page.locator('[data-notice]');
      await notice.waitFor();
      await notice.locator('[data-dismiss]').click();
      assert.equal(await notice.isVisible(), false);
      await page.goto('/tags');
      assert.equal(await notice.isVisible(), false);
    }),
  );

  it(
    'the search page follows what is typed, and so do the address and the count',
    withPage(async (page, { service }) => {
      const { items } = (await service.anonymous.get('/v1/orgs?limit=1')).body;
      await page.goto('/search');
      await page.fill('main [name=q]', items[0].name);
      await page.locator('[data-results] h3', { hasText: items[0].name }).first().waitFor();
      await page.waitForURL(`**/search?q=${encodeURIComponent(items[0].name).replaceAll('%20', '+')}`);
      assert.match(
        (await page.textContent('[data-search-count]')) ?? '',
        /\d+ of [\d,]+(?: or more)? releases and changelogs|\d+ releases? (?:or|and) changelogs?/,
      );
      await page.fill('main [name=q]', 'zzqqxy');
      await page.locator('[data-results]', { hasText: 'Nothing matches “zzqqxy”' }).waitFor();
    }),
  );

  it(
    'home shows the counts and leads to the reference, which lists and tries the calls',
    withPage(async (page, { service }) => {
      await page.goto('/');
      const { orgs, products, sources, releases } = (await service.anonymous.get('/v1/stats')).body;
      const text = await page.textContent('main');
      for (const count of [orgs, products, sources, releases]) {
        assert.ok(text?.includes(String(count)), `the home page tells ${count}`);
      }
      await page.click('footer a[href="/v1/docs"]');
      await page.getByText('/v1/releases/latest', { exact: true }).first().waitFor();
      await seeReference(page);
    }),
  );

  it(
    'the reference tries calls beside their parameters, and shows a stream as it comes',
    withPage(async (page) => {
      await page.setViewportSize({ width: 360, height: 800 });
      await page.goto('/v1/docs/releases');
      const stream = page.locator('#call-getreleasesstream');
      await stream.locator('summary').first().click();
      await stream.locator('form button').click();
      await stream.locator('pre.answer', { hasText: 'event: ready' }).waitFor();
      await stream.locator('form button', { hasText: 'Stop' }).click();
      await stream.locator('pre.answer', { hasText: 'Stopped' }).waitFor();
      await stream.locator('form button', { hasText: 'Send' }).waitFor();

      const release = page.locator('#call-getreleasesbyrel');
      await release.locator('summary').first().click();
      await release.locator('input[name=rel]').fill('rel_nobody');
      await release.locator('form button').click();
      await release.locator('pre.answer', { hasText: 'not_found' }).waitFor();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    }, /404/),
  );
});
