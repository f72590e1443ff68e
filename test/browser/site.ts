// The demo registry in a browser: one service, one browser, and a URL for every type of public page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { openDemoApp } from '../support/demo.ts';
import type { TestEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

export interface Site {
  service: Service;
  browser: Browser;
  // Opens a page and records what it must not do: contact other hosts, violate the policy, fail in script.
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

interface WatchedPage {
  page: Page;
  complaints: string[];
}

// Null where the platform has no browser.
export async function openSite(engine: TestEngine, { filled = true } = {}): Promise<Site | null> {
  const app = filled ? await openDemoApp(engine) : await engine.openTestApp();
  const service = await startService(app);
  // Pages and forms trust the public origin of the service, so the browser maps that host to the service. It resolves
  // no other host, so that requests need not be intercepted, which would disable the browser's cache.
  const rules = `MAP ${new URL(service.origin).host} ${new URL(service.url).host}, MAP * ~NOTFOUND`;
  const browser = await launchBrowser([`--host-resolver-rules=${rules}`]);
  if (!browser) return null;
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

// Every rule on a wide and on a small screen, because some elements are visible on one of them only; colours in both
// themes.
const APPEARANCES = [
  { width: 1440, colorScheme: 'light', rules: 'all' },
  { width: 1440, colorScheme: 'dark', rules: 'colours' },
  { width: 360, colorScheme: 'dark', rules: 'all' },
  { width: 360, colorScheme: 'light', rules: 'colours' },
] as const;

// Removes from every list the items with the same structure as two of their neighbours, down to classes, attributes and
// states, because they have the same faults. Two stay, because the distance between them counts too.
const LEAVE_TWO_OF_A_KIND = `(() => {
  const shapes = new WeakMap();
  // Names and texts differ from row to row; states, classes and types are short words.
  const isOwn = (name) => /^(?:id|for|href|title|alt|datetime|aria-label|aria-labelledby|aria-describedby)$/.test(name);
  const isState = ({ name, value }) => name === 'class' || name === 'style' || (!isOwn(name) && /^[a-z -]{0,30}$/.test(value));
  const shapeOf = (element) => {
    const attributes = [...element.attributes].map((one) => (isState(one) ? one.name + '=' + one.value : one.name));
    const parts = [...element.childNodes].map((node) => {
      if (node.nodeType === 1) return shapeOf(node);
      return node.nodeType === 3 && node.data.trim() ? 'text' : '';
    });
    const shape = [element.localName, ...attributes.sort(), '(', ...parts, ')'].join(' ');
    shapes.set(element, shape);
    return shape;
  };
  shapeOf(document.body);
  const thin = (parent) => {
    const seen = new Map();
    for (const child of [...parent.children]) {
      const count = (seen.get(shapes.get(child)) ?? 0) + 1;
      seen.set(shapes.get(child), count);
      if (count > 2) child.remove();
      else thin(child);
    }
  };
  thin(document.body);
})()`;

// The accessibility violations of a page in both themes, on a wide and on a small screen, one line each. The page has
// fewer rows afterwards.
export async function findingsOn(page: Page, name: string): Promise<string[]> {
  const findings: string[] = [];
  await page.setViewportSize({ width: 320, height: 640 });
  const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (scrolled > 320) findings.push(`${name} is ${scrolled} px wide on a screen of 320 px`);
  await page.evaluate(LEAVE_TWO_OF_A_KIND);
  for (const { width, colorScheme, rules } of APPEARANCES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const found = [...(rules === 'all' ? await ruleViolations(page) : []), ...(await colourViolations(page))];
    findings.push(...found.map((line) => `${name}, ${width} px, ${colorScheme}: ${line}`));
  }
  return findings;
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

// The violations of WCAG 2.2 AA or a best practice on the current page, one line each, except the contrast of texts.
async function ruleViolations(page: Page): Promise<string[]> {
  await loadAxe(page);
  const settings = {
    runOnly: { type: 'tag', values: TAGS },
    rules: { 'color-contrast': { enabled: false } },
    resultTypes: ['violations'],
    preload: false,
  };
  const run = `window.axe.run(document, ${JSON.stringify(settings)}).then(({ violations }) => violations)`;
  return linesOf(await page.evaluate<Violation[]>(run));
}

// Measuring contrast is most of the work of all rules together, and the result is the same for all texts with the same
// colour, size and backgrounds: each combination is measured once, on the first page and theme that has it.
const measured = new Set<string>();
// A text that cannot be measured, such as one over a picture, is tried again where it has another structure.
const tried = new Set<string>();

interface ColourRun {
  violations: Violation[];
  measured: string[];
  tried: string[];
}

async function colourViolations(page: Page): Promise<string[]> {
  const marked = await page.evaluate<boolean>(
    `(${MARK_NEW_COLOURS})(${JSON.stringify([...measured])}, ${JSON.stringify([...tried])})`,
  );
  if (!marked) return [];
  await loadAxe(page);
  const settings = {
    runOnly: { type: 'rule', values: COLOUR_RULES },
    resultTypes: ['violations', 'passes'],
    elementRef: true,
    preload: false,
  };
  const run = await page.evaluate<ColourRun>(`(${MEASURE_NEW_COLOURS})(${JSON.stringify(settings)})`);
  for (const colours of run.measured) measured.add(colours);
  for (const colours of run.tried) tried.add(colours);
  return linesOf(run.violations);
}

// Marks each visible text with the colours that decide its contrast and with its structure, and returns whether any is
// new.
const MARK_NEW_COLOURS = `(measured, tried) => {
  const isMeasured = new Set(measured);
  const isTried = new Set(tried);
  const known = new WeakMap();
  const look = (element) => {
    if (!element) return { behind: '', path: '' };
    const found = known.get(element);
    if (found) return found;
    const style = getComputedStyle(element);
    const parent = look(element.parentElement);
    const layers = [
      style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor,
      style.backgroundImage === 'none' ? '' : style.backgroundImage,
      style.opacity === '1' ? '' : style.opacity,
      style.filter === 'none' ? '' : style.filter,
      style.mixBlendMode === 'normal' ? '' : style.mixBlendMode,
      style.position === 'static' || style.position === 'relative' ? '' : style.position,
    ];
    const behind = layers.some(Boolean) ? parent.behind + '<' + layers.join(',') : parent.behind;
    const own = { behind, path: parent.path + '>' + element.localName + '.' + element.className, style };
    known.set(element, own);
    return own;
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const isText = (element) => element.matches('input, select, textarea, option') || hasText(element);
  window.newColours = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    if (!isText(element) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { style, behind, path } = look(element);
    const around = element.parentElement;
    const isPart = element.localName === 'a' && around.textContent.length > element.textContent.length;
    const colours = [
      ...[style.color, style.fontSize, style.fontWeight, style.textShadow, style.webkitTextFillColor, behind],
      ...(isPart ? [style.textDecorationLine, style.borderBottom, look(around).style.color, look(around).style.fontWeight] : []),
    ].join(';');
    if (isMeasured.has(colours) || isTried.has(colours + path)) continue;
    window.newColours.set(element, { colours, path });
  }
  return window.newColours.size > 0;
}`;

const MEASURE_NEW_COLOURS = `async (settings) => {
  const marked = window.newColours;
  const { violations, passes } = await window.axe.run({ include: [...marked.keys()] }, settings);
  const judged = [...violations, ...passes].filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes);
  const measured = judged.flatMap(({ element }) => marked.get(element)?.colours ?? []);
  const tried = [...marked.values()].map(({ colours, path }) => colours + path);
  const plain = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  }));
  return { violations: plain, measured, tried };
}`;

// The browser evaluates the script itself, which the content security policy of the page does not forbid.
async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
}

function linesOf(violations: readonly Violation[]): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => {
      const why = failureSummary?.split('\n').slice(1, 2).join('').trim() ?? '';
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
}
