// The demo registry in a browser: one service, one browser, and a URL for every type of public page.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Context, now, transact } from '../../src/context.ts';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { toJson } from '../../src/store/json-text.ts';
import { listPublished } from '../insight/published.ts';
import { launchBrowser } from '../support/browser.ts';
import { openDemoApp } from '../support/demo.ts';
import type { TestEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';
import { type CheckablePage, openCheckable } from './findings.ts';

export interface Site {
  ctx: Context;
  service: Service;
  browser: Browser;
  // Opens a page and records what it must not do: contact other hosts, violate the policy, fail in script.
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  // The same for a page whose accessibility is checked. It hears neither mouse nor keys.
  openCheckable(): Promise<CheckedPage>;
  close(): Promise<void>;
}

interface WatchedPage {
  page: Page;
  complaints: string[];
}

// Null where the platform has no browser.
export async function openSite(engine: TestEngine, { filled = true } = {}): Promise<Site | null> {
  const app = filled ? await openDemoApp(engine) : await engine.openTestApp();
  if (filled) await addGaps(app.ctx);
  const service = await startService(app);
  // Pages and forms trust the public origin of the service, so the browser maps that host to the service. It resolves
  // no other host, so that requests need not be intercepted, which would disable the browser's cache.
  const rules = `MAP ${new URL(service.origin).host} ${new URL(service.url).host}, MAP * ~NOTFOUND`;
  const launched: Browser[] = [];
  const launch = async (...flags: string[]) => {
    const browser = await launchBrowser([`--host-resolver-rules=${rules}`, ...flags]);
    if (browser) launched.push(browser);
    return browser;
  };
  const browser = await launch();
  if (!browser) return null;
  const openContext = (options?: BrowserContextOptions, of = browser) =>
    of.newContext({ baseURL: service.origin, reducedMotion: 'reduce', ...options });
  return {
    ctx: app.ctx,
    service,
    browser,
    open: async (options) => {
      const context = await openContext(options);
      return watch(await context.newPage(), service.origin);
    },
    openCheckable: async () => {
      // Nobody looks at what is drawn, and the threads for it cost a fifth of the processor time. Without them the browser
      // takes no input.
      const checking = (await launch('--disable-threaded-compositing')) ?? browser;
      const { page, findingsOn } = await openCheckable(await openContext({}, checking));
      return { ...watch(page, service.origin), findingsOn };
    },
    close: async () => {
      for (const one of launched) await one.close();
    },
  };
}

// A package of which the registry knows more versions than have notes.
const GAPS = 'lantern-gaps';

async function addGaps(ctx: Context): Promise<void> {
  const { id: orgId } = await createOrg(ctx);
  const { id: sourceId } = await createSource(ctx, { orgId, name: GAPS });
  const notes = ['1.0.0', '1.1.0', '2.0.0', '2.1.0'].map((version, index) =>
    releaseRow(version, { publishedAt: new Date(Date.UTC(2024, 3 * index, 5)).toISOString() }),
  );
  await postReleases(ctx, sourceId, notes, { silent: true });
  await putPackage(ctx, { ecosystem: 'npm', name: GAPS, sourceId });
  const [old, recent] = ['sha512-b2xk', 'sha512-cmVjZW50'];
  const deprecated = 'The line 1.x gets no fixes, move to 2.x';
  await listPublished(ctx, GAPS, [
    { version: '1.0.0', deprecated },
    { version: '1.1.0', integrity: old, tarballUrl: 'https://npm.example/old.tgz' },
    { version: '1.2.0', withdrawn: true },
    '1.3.0',
    '2.0.0',
    '2.0.1',
    '2.1.0-canary.20261104091522.b71fe0c',
    { version: '2.1.0', deprecated, integrity: recent, tarballUrl: 'https://npm.example/recent.tgz' },
  ]);
  const gone = (name: string, text = `\`${name}\` is no longer exported`) =>
    ({ kind: 'export_removed', name, subpath: '.', certainty: 'proven', was: 'function', is: null, text }) as const;
  const findings = [
    { ...gone('engines.node', 'needs Node 20 (18 before)'), kind: 'engines_raised' as const, was: '>=18', is: '>=20' },
    ...['openLamp', 'aVeryLongNameOfAFunctionThatNoPhoneShowsOnOneLine'.repeat(2)].map((name) => gone(name)),
  ];
  const pair = {
    from_integrity: old,
    to_integrity: recent,
    beside: '',
    rules: RULES_VERSION,
    ecosystem: 'npm',
    name: GAPS,
    from_version: '1.1.0',
    to_version: '2.1.0',
    status: 'compared',
    types: 'own',
    findings: toJson(findings),
    further: null,
    more: 0,
    proven: findings.length,
    likely: 0,
    beside_names: toJson([]),
    reason: null,
    bytes: 0,
    compared_at: now(ctx),
  } as const;
  await transact(ctx, ({ tx }) => tx.insertInto('evidence_pairs').values(pair).execute());
}

function watch(page: Page, origin: string): WatchedPage {
  const complaints: string[] = [];
  // Images and videos of releases and organizations are the only things that pages load from other hosts.
  const pictures = new Set<string>();
  page.on('request', (request) => {
    const address = request.url();
    if (URL.parse(address)?.origin === origin || /^(?:data|blob):/.test(address)) return;
    if (['image', 'media'].includes(request.resourceType())) pictures.add(address);
    else complaints.push(`other host: ${address}`);
  });
  page.on('console', (message) => {
    if (message.type() !== 'error' || pictures.has(message.location().url)) return;
    complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints };
}

export type CheckedPage = WatchedPage & CheckablePage;

interface PageType {
  name: string;
  path: string;
}

// One URL for every type of public page, found through the API.
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
  const [listed] = (await anonymous.get('/v1/packages?limit=1')).body.items;
  const installed = [GAPS, listed.name, 'nobody-knows'].map((name) => [`node_modules/${name}`, { version: '1.0.0' }]);
  const packages = { '': { dependencies: { [GAPS]: '*' } }, ...Object.fromEntries(installed) };
  const text = JSON.stringify({ lockfileVersion: 3, packages });
  const { body: report } = await anonymous.post('/v1/reports', { text });
  return [
    { name: 'home', path: '/' },
    { name: 'catalog', path: '/catalog' },
    { name: 'packages', path: '/packages' },
    { name: 'package', path: `/packages/${listed.ecosystem}/${listed.name}` },
    { name: 'package with gaps', path: `/packages/npm/${GAPS}?pre=1` },
    { name: 'search for a package', path: `/search?q=${GAPS}` },
    { name: 'upgrade with gaps', path: `/packages/npm/${GAPS}/1.0.0-to-latest` },
    { name: 'upgrade between lines', path: `/packages/npm/${GAPS}/1.1.0-to-2.1.0` },
    { name: 'report', path: `/reports/${report.id}` },
    { name: 'a group of a report', path: `/reports/${report.id}?group=not-known` },
    { name: 'breaks of this week', path: '/breaking' },
    { name: 'breaks of a week', path: '/breaking/2024-w27' },
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
    { name: 'whats changed files', path: '/whats-changed?input=files' },
    {
      name: 'whats changed answer',
      path: `/whats-changed?${new URLSearchParams({ package: releases[0].source.id, from: '0.0.1' })}`,
    },
    { name: 'whats changed unknown', path: '/whats-changed?package=nobody-knows&from=1.0.0' },
    {
      name: 'whats changed to track',
      path: '/whats-changed?package=no/body&ecosystem=github&from=1.0.0&track=missing',
    },
    { name: 'whats changed to search', path: '/whats-changed?package=nobody-knows&ecosystem=npm&from=1.0.0' },
    { name: 'breaking', path: '/live/breaking' },
    { name: 'live', path: '/live' },
    { name: 'guides', path: '/docs' },
    { name: 'guide', path: '/docs/feeds' },
    { name: 'about', path: '/about' },
    { name: 'API reference', path: '/v1/docs' },
    { name: 'API schemas', path: '/v1/docs/schemas' },
    { name: 'API schema', path: '/v1/docs/schemas/ReleaseDetail' },
    { name: 'not found', path: '/nothing-has-this-name' },
  ];
}
