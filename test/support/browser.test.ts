import assert from 'node:assert/strict';
import { it } from 'node:test';
import { launchBrowser } from './browser.ts';

it('a browser opens a page', async (test) => {
  const browser = await launchBrowser();
  if (!browser) return test.skip('no browser on this platform');
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>Releases</h1>');

    assert.equal(await page.textContent('h1'), 'Releases');
  } finally {
    await browser.close();
  }
});
