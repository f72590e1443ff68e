// What people do with an account, in a real browser without script, by keyboard alone. The service is the same on both
// engines, and its forms are tested on both over HTTP; here one is enough.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

// As many stops as no page has.
const MOST_TABS = 120;

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  assert.fail(`no key leads to ${selector} on ${page.url()}`);
}

async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}

const enter = (page: Page) => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

const pageName = (page: Page) => page.locator('main').getAttribute('data-page');

describe('an account in a browser', () => {
  forEachEngine('account by keyboard, without script', (engine) => {
    if (engine.name !== 'sqlite') return;
    let service: Service;
    let browser: Browser | null;
    let page: Page;
    before(async () => {
      const app = await engine.openTestApp();
      service = await startService(app);
      // The browser finds the service under the name that it calls itself.
      const name = new URL(service.origin).host;
      browser = await launchBrowser([`--host-resolver-rules=MAP ${name} ${new URL(service.url).host}`]);
      const context = await browser?.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
      if (context) page = await context.newPage();
    });
    after(() => browser?.close());

    it('signing up says what is wrong, keeps what was right, and ends on a page', async (test) => {
      if (!browser) return test.skip('no browser on this platform');
      await page.goto(`${service.origin}/signup?next=/device`);
      await type(page, '#name', 'Kim');
      await type(page, '#email', 'kim@mail.example');
      await type(page, '#password', 'qwertyuiop');
      await enter(page);
      assert.equal(await page.locator(':focus').getAttribute('role'), 'alert');
      assert.equal(await page.locator('#email').inputValue(), 'kim@mail.example');
      await type(page, '#password', 'correct horse battery');
      await enter(page);
      assert.equal(await pageName(page), 'device');
    });

    it('a device is let in', async (test) => {
      if (!browser) return test.skip('no browser on this platform');
      const { user_code, device_code } = (
        await service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' })
      ).body;
      await page.goto(`${service.origin}/device`);
      await type(page, '#user_code', user_code.toLowerCase());
      await enter(page);
      assert.match((await page.textContent('main')) ?? '', new RegExp(user_code));
      const width = await page.locator('body').evaluate((body) => body.ownerDocument.documentElement.scrollWidth);
      assert.equal(width, 320, 'nothing is wider than a small screen');
      await tabTo(page, '[data-form=device-approve] button');
      await enter(page);
      assert.match((await page.textContent('[role=status]')) ?? '', /Done/);
      const answer = await service.anonymous.post('/api/auth/device/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code,
        client_id: 'registry-cli',
      });
      assert.equal(answer.status, 200);
    });
  });
});
