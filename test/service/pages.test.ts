// The two pages of today in a real browser: they show what they should, and ask no other host for anything.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadDemo } from '../../src/demo/load.ts';
import { launchBrowser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('pages in a browser', (engine) => {
  it('home shows the counts and leads to the reference, which lists and tries the calls', async (test) => {
    const browser = await launchBrowser();
    if (!browser) return test.skip('no browser on this platform');
    const app = await engine.openTestApp();
    await loadDemo(app.ctx, { releases: 200 });
    const { url, anonymous } = await startService(app);
    try {
      const page = await browser.newPage();
      const hosts = new Set<string>();
      const complaints: string[] = [];
      page.on('request', (request) => hosts.add(new URL(request.url()).origin));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });

      await page.goto(url);
      const stats = (await anonymous.get('/v1/stats')).body;
      const text = await page.textContent('main');
      for (const count of [stats.orgs, stats.products, stats.sources, stats.releases]) {
        assert.ok(text?.includes(String(count)), `the home page tells ${count}`);
      }
      await page.click('a[href="/v1/docs"]');
      await page.getByText('/v1/releases/latest', { exact: true }).first().waitFor();

      assert.deepEqual([...hosts], [url]);
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  });
});
