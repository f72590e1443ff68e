// The demo registry as a browser sees it: one service, one browser, and an address for every type of public page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadDemo } from '../../src/demo/load.ts';
import { launchBrowser } from '../support/browser.ts';
import type { TestEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

export interface Site {
  service: Service;
  browser: Browser;
  // Opens a page that notes what it must not do: ask other hosts, break the policy, fail in script.
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

interface WatchedPage {
  page: Page;
  complaints: string[];
}

// Null where the platform has no browser.
export async function openSite(engine: TestEngine, { releases = 400 } = {}): Promise<Site | null> {
  const app = await engine.openTestApp();
  const service = await startService(app);
  // Pages and forms trust the name that the service calls itself, so the browser finds it under that name.
  const rules = `MAP ${new URL(service.origin).host} ${new URL(service.url).host}`;
  const browser = await launchBrowser([`--host-resolver-rules=${rules}`]);
  if (!browser) return null;
  if (releases > 0) await loadDemo(app.ctx, { releases });
  return {
    service,
    browser,
    open: (options) => openWatched(browser, service.origin, options),
    close: () => browser.close(),
  };
}

async function openWatched(browser: Browser, origin: string, options?: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route(
    (address) => address.origin !== origin,
    (route) => {
      const request = route.request();
      // Pictures and clips that releases and organizations name are the only thing that pages load from elsewhere.
      if (['image', 'media'].includes(request.resourceType())) return route.fulfill({ status: 204 });
      complaints.push(`other host: ${request.url()}`);
      return route.abort();
    },
  );
  return { page, complaints };
}

interface PageType {
  name: string;
  path: string;
}

// One address for every type of public page, found through the API.
export async function publicPages({ anonymous }: Service): Promise<PageType[]> {
  const { items: orgs } = (await anonymous.get('/v1/orgs?featured=true&limit=1')).body;
  const org = orgs[0].slug;
  const detail = (await anonymous.get(`/v1/orgs/${org}`)).body;
  const product = detail.products[0].slug;
  const taken = new Set(detail.products.map(({ slug }: { slug: string }) => slug));
  const source = detail.sources.find(({ slug }: { slug: string }) => !taken.has(slug)).slug;
  const tracked = (await anonymous.get('/v1/sources?limit=100')).body.items.find(
    (item: { changelogUrl: string | null; type: string }) => item.type === 'github' && item.changelogUrl,
  );
  const { releases } = (await anonymous.get('/v1/releases/latest?breaking=major&count=1')).body;
  const [collection] = (await anonymous.get('/v1/collections')).body.items;
  const [category] = (await anonymous.get('/v1/categories')).body;
  const [tag] = (await anonymous.get('/v1/tags')).body.items;
  return [
    { name: 'home', path: '/' },
    { name: 'catalog', path: '/catalog' },
    { name: 'categories', path: '/categories' },
    { name: 'category', path: `/categories/${category.slug}` },
    { name: 'collections', path: '/collections' },
    { name: 'collection', path: `/collections/${collection.slug}` },
    { name: 'tags', path: '/tags' },
    { name: 'tag', path: `/tags/${tag.slug}` },
    { name: 'search', path: '/search?q=fix' },
    { name: 'search without hits', path: '/search?q=zzqqxy' },
    { name: 'org', path: `/${org}` },
    { name: 'org overview', path: `/${org}/overview` },
    { name: 'org sources', path: `/${org}/sources` },
    { name: 'product', path: `/${org}/${product}` },
    { name: 'source', path: `/${org}/${source}` },
    { name: 'highlights', path: `/${org}/${source}/highlights` },
    ...(tracked?.org ? [{ name: 'changelog', path: `/${tracked.org.slug}/${tracked.slug}/changelog` }] : []),
    { name: 'release', path: `/release/${releases[0].id}` },
    { name: 'whats changed form', path: '/whats-changed' },
    { name: 'live', path: '/live' },
    { name: 'guides', path: '/docs' },
    { name: 'guide', path: '/docs/feeds' },
    { name: 'about', path: '/about' },
    { name: 'not found', path: '/nothing-has-this-name' },
  ];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

// What a theme or the width of a screen can break; everything else is the same in all of them.
export const BY_APPEARANCE = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];

// What breaks WCAG 2.2 AA or a best practice on the page as it stands, one line each.
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const options = rules
    ? { runOnly: { type: 'rule', values: rules } }
    : {
        runOnly: {
          type: 'tag',
          values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        },
      };
  // The script is evaluated by the browser itself, which the policy of the page does not forbid.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const settings = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false });
  const run = `window.axe.run(document, ${settings}).then(({ violations }) => violations)`;
  const found = await page.evaluate<Violation[]>(run);
  return found.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => {
      const why = failureSummary?.split('\n').slice(1, 2).join('').trim() ?? '';
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
}
