// Pages in a real browser: they show their content, contact no other host, and need neither mouse nor script.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

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

forEachEngine('pages in a browser', (engine) => {
  // What a browser shows does not depend on the engine.
  if (engine.name !== 'sqlite') return;
  it('home shows the counts and leads to the reference, which lists and tries the calls', async (test) => {
    const browser = await launchBrowser();
    if (!browser) return test.skip('no browser on this platform');
    const app = await openDemoApp(engine);
    const { url, anonymous } = await startService(app);
    try {
      const page = await browser.newPage();
      const hosts = new Set<string>();
      const complaints: string[] = [];
      // Images of releases and organizations are the only things that pages load from other hosts.
      await page.route(
        (address) => address.origin !== url,
        (route) => (route.request().resourceType() === 'image' ? route.fulfill({ status: 204 }) : route.abort()),
      );
      page.on('request', (request) => {
        if (request.resourceType() !== 'image') hosts.add(new URL(request.url()).origin);
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });

      await page.goto(url);
      const stats = (await anonymous.get('/v1/stats')).body;
      const text = await page.textContent('main');
      for (const count of [stats.orgs, stats.products, stats.sources, stats.releases]) {
        assert.ok(text?.includes(String(count)), `the home page tells ${count}`);
      }
      await page.click('footer a[href="/v1/docs"]');
      await page.getByText('/v1/releases/latest', { exact: true }).first().waitFor();
      await seeReference(page);

      assert.deepEqual([...hosts], [url]);
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  });
});
