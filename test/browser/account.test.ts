// Account pages in a real browser: by keyboard alone and without script, with script, and with accessibility checks.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Client, createClient } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { fillStackAccount } from '../support/stack-account.ts';
import { openSite, type Site } from './site.ts';

// More tab stops than any page has.
const MAX_TABS = 120;
const PASSWORD = 'correct horse battery';
// A public IP address, so that no name has to be resolved.
const HOOK = 'https://93.184.216.34/in';

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < MAX_TABS; pressed += 1) {
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
const widthOf = (page: Page) => page.locator('body').evaluate((body) => body.ownerDocument.documentElement.scrollWidth);

// A client with the session of the browser.
async function clientOf(page: Page, { url, origin }: Service): Promise<Client> {
  const { cookies } = await page.context().storageState();
  return createClient(url, { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '), Origin: origin });
}

forEachEngine('an account in a browser', (engine) => {
  // What a browser shows does not depend on the engine; the forms are tested on both over HTTP.
  if (engine.name !== 'sqlite') return;
  let site: Site | null;
  let page: Page;
  let complaints: string[];
  before(async () => {
    site = await openSite(engine, { filled: false });
    if (!site) return;
    const made = await site.service.root.post('/v1/orgs', { name: 'Quayside', slug: 'quayside', featured: true });
    assert.equal(made.status, 201, made.text);
    const source = {
      orgSlug: 'quayside',
      name: 'Tug',
      slug: 'tug',
      type: 'feed',
      url: 'https://quayside.example/feed',
    };
    assert.equal((await site.service.root.post('/v1/sources', source)).status, 201);
    ({ page, complaints } = await site.open({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } }));
  });
  after(() => site?.close());

  it('signing up says what is wrong, keeps what was right, and ends on a page', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    await page.goto('/signup');
    await type(page, '#name', 'Kim');
    await type(page, '#email', 'kim@mail.example');
    await type(page, '#password', 'qwertyuiop');
    await enter(page);
    assert.equal(await page.locator(':focus').getAttribute('role'), 'alert');
    assert.equal(await page.locator('#email').inputValue(), 'kim@mail.example');
    await type(page, '#password', PASSWORD);
    await enter(page);
    assert.equal(await pageName(page), 'following');
    assert.match((await page.textContent('main')) ?? '', /You follow nothing yet/);
  });

  it('following takes a keyboard, and no script', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    await page.goto('/quayside');
    await tabTo(page, '[data-form=follow] button');
    await enter(page);
    assert.equal(await pageName(page), 'org');
    assert.equal(await page.locator('[data-form=follow] button').getAttribute('aria-pressed'), 'true');
    await page.goto('/following');
    assert.match((await page.textContent('main')) ?? '', /1 organization/);
    assert.equal(await widthOf(page), 320);
  });

  it('so does adding a webhook, whose key is shown once', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    await page.goto('/account/webhooks');
    await type(page, '#url', 'http://hooks.example/');
    await enter(page);
    assert.equal(await page.locator(':focus').getAttribute('role'), 'alert');
    // The error summary links to the field.
    await tabTo(page, '.errors a');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.match(page.url(), /#url$/);
    await page.goto('/account/webhooks');
    await type(page, '#url', HOOK);
    await tabTo(page, '[data-form=webhook] button');
    await enter(page);
    assert.equal(await pageName(page), 'webhook');
    assert.match((await page.textContent('.once')) ?? '', /whsec_/);
    assert.equal(await widthOf(page), 320);
    await page.reload();
    assert.equal(await page.locator('.once').count(), 0);
    assert.match((await page.textContent('[role=status]')) ?? '', /already created/);
    assert.equal(await page.locator('tbody tr').count(), 1);
  });

  it('and so does letting a device in', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { anonymous } = site.service;
    const { user_code, device_code } = (await anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' }))
      .body;
    await page.goto('/device');
    await type(page, '#user_code', user_code.toLowerCase());
    await enter(page);
    assert.match((await page.textContent('main')) ?? '', new RegExp(user_code));
    assert.equal(await widthOf(page), 320, 'nothing is wider than a small screen');
    await tabTo(page, '[data-form=device-approve] button');
    await enter(page);
    assert.match((await page.textContent('[role=status]')) ?? '', /Done/);
    const answer = await anonymous.post('/api/auth/device/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code,
      client_id: 'registry-cli',
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(
      complaints.filter((line) => !line.includes('status of 422')),
      [],
    );
  });

  it('with script a follow button switches at once, and back when the service refuses', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page: own } = await site.open({ storageState: await page.context().storageState() });
    await own.goto('/quayside');
    const button = own.locator('.entity [data-form=follow] button');
    const state = async () => [
      await button.getAttribute('aria-pressed'),
      await button.locator('span').first().textContent(),
    ];
    const held = Promise.withResolvers<void>();
    await own.route('**/follow', async (route) => {
      await held.promise;
      await route.continue();
    });
    const answered = own.waitForResponse('**/follow');
    await button.click();
    assert.deepEqual(await state(), ['false', 'Follow'], 'before the service has answered');
    held.resolve();
    assert.equal((await answered).status(), 200);
    assert.match(own.url(), /\/quayside$/);
    await own.unroute('**/follow');
    await own.reload();
    assert.equal(await button.getAttribute('aria-pressed'), null, 'it was told to the service');

    await own.route('**/follow', (route) => route.fulfill({ status: 500 }));
    await button.click();
    await own.locator('.entity [data-form=follow] [role=status]', { hasText: 'did not work' }).waitFor();
    assert.deepEqual(await state(), ['false', 'Follow']);
  });

  it('its pages pass axe in both themes at 360 and 1440 px, and never scroll sideways', async (test) => {
    if (!site) return test.skip('no browser on this platform');
    const { page: shown, complaints: reported, findingsOn } = await site.openCheckable();
    const findings: string[] = [];
    const look = async (path: string) => {
      await shown.goto(path);
      for (const details of await shown.locator('main details').all())
        await details.evaluate((one) => one.setAttribute('open', ''));
      findings.push(...(await findingsOn(path)));
    };
    for (const path of ['/login', '/signup', '/forgot-password', '/reset-password?token=x']) await look(path);
    await shown.context().addCookies((await page.context().storageState()).cookies);
    await shown.goto('/account/webhooks');
    const webhook = (await shown.locator('tbody a').first().getAttribute('href')) ?? '';
    const { user_code } = (await site.service.anonymous.post('/api/auth/device/code', { client_id: 'registry-cli' }))
      .body;
    for (const path of [
      `/device?user_code=${user_code}`,
      '/device?user_code=AAAA-AAAA',
      '/following',
      '/account?done=x',
      '/account/webhooks',
      `${webhook}?done=test`,
      '/account/keys',
      '/account/feed',
      '/account/security',
      ...(await fillStackAccount(site.ctx, await clientOf(page, site.service))),
    ]) {
      await look(path);
    }
    assert.deepEqual([...findings, ...reported.filter((line) => !line.includes('status of 422'))], []);
  });
});
