// Takes the pictures of the README (docs/images) from a running registry that holds the sample. Run it by hand when pages change:
//   npm start
//   npm run pictures -- http://localhost:8080
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';

const SIZE = { width: 1120, height: 710 };
const MAX_BYTES = 200_000;
const IMAGES = new URL('../docs/images/', import.meta.url);

interface Picture {
  name: string;
  path: string;
  scheme?: 'dark';
  // What is done on the page before the picture is taken.
  act?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: 'whats-changed', path: '/whats-changed?package=nodemailer&ecosystem=npm&from=8.0.0&to=latest' },
  { name: 'lockfile', path: '/whats-changed?input=files', act: compareLockfiles },
  { name: 'package', path: '/packages/npm/nodemailer' },
  { name: 'home', path: '/' },
  { name: 'release', path: '/live/breaking', scheme: 'dark', act: openBreaking },
  { name: 'search', path: '/search?q=node+20', scheme: 'dark' },
];

// The lockfile of this repository, and the same with some packages as they were before.
const EARLIER: Readonly<Record<string, string>> = {
  nodemailer: '9.1.1',
  accepts: '1.3.8',
  router: '1.3.8',
  qs: '6.9.3',
  statuses: '2.0.1',
  'mime-types': '2.1.35',
  'mime-db': '1.53.0',
  'form-data': '4.0.4',
  'fast-xml-parser': '5.0.0',
};

async function compareLockfiles(page: Page): Promise<void> {
  const now = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  const lockfile = JSON.parse(now) as { packages: Record<string, { version?: string }> };
  for (const [name, version] of Object.entries(EARLIER)) {
    const entry = lockfile.packages[`node_modules/${name}`];
    if (entry) entry.version = version;
  }
  await page.check('#wf-m-both', { force: true });
  // Typing a long text takes a browser minutes.
  for (const [field, text] of [
    ['#wf-old-text', JSON.stringify(lockfile)],
    ['#wf-new-text', now],
  ] as const) {
    await page.locator(field).evaluate((area, value) => Object.assign(area, { value }), text);
  }
  await page.click('form.modes button[type=submit]');
  await page.waitForLoadState();
}

async function openBreaking(page: Page): Promise<void> {
  await page.click('.row[data-breaking] .row-title a');
  await page.waitForLoadState();
}

const [address = 'http://localhost:8080'] = process.argv.slice(2);
const browser = await launchBrowser();
if (!browser) throw new Error('no browser on this machine');
for (const { name, path, scheme, act } of PICTURES) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: scheme ?? 'light', reducedMotion: 'reduce' });
  await page.goto(`${address}${path}`);
  await act?.(page);
  const picture = await page.screenshot({ type: 'png' });
  await page.close();
  if (picture.length > MAX_BYTES) throw new Error(`${name} takes ${picture.length} bytes`);
  writeFileSync(new URL(`${name}.png`, IMAGES), picture);
  console.log(`${name}.png ${Math.round(picture.length / 1000)} kB`);
}
await browser.close();
