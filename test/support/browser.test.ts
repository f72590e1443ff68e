import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

it('a browser that dies is reported at once with its log, and so is whatever was waiting for it', async (test) => {
  const deaths: Error[] = [];
  const browser = await launchBrowser([], { died: (error) => deaths.push(error) });
  if (!browser) return test.skip('no browser on this platform');
  const page = await browser.newPage();
  const waiting = page.waitForFunction(() => false, null, { timeout: 0 });
  const session = await browser.newBrowserCDPSession();

  session.send('Browser.crash').catch(() => {});

  await assert.rejects(waiting, /closed/);
  await assert.rejects(browser.newPage(), /closed/);
  assert.match(
    deaths.map(({ message }) => message).join(),
    /^the browser ended during a test\n[\s\S]*<launched> pid=\d+/,
  );
  await browser.close();
});

it('a browser that is closed is no death', async (test) => {
  const deaths: Error[] = [];
  const browser = await launchBrowser([], { died: (error) => deaths.push(error) });
  if (!browser) return test.skip('no browser on this platform');

  await browser.close();

  assert.deepEqual(deaths, []);
});

it('pages are tested under the policies that browsers enforce', async (test) => {
  const browser = await launchBrowser();
  if (!browser) return test.skip('no browser on this platform');
  const other = createServer((_, response) => response.end('secret')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const page = await browser.newPage();
  await page.goto('data:text/html,<p>another origin');

  const read = page.evaluate((url) => fetch(url).then((response) => response.text()), `http://127.0.0.1:${port}/`);

  await assert.rejects(read, /Failed to fetch/);
  await browser.close();
  other.close();
});
