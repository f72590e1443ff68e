// Rules for all pages: one canonical path, headers, head elements, structured data, and well-known files.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { createCredentials } from '../../src/accounts/credentials.ts';
import { runOnce } from '../../src/accounts/idempotency.ts';
import { isReservedChildSlug, isReservedOrgSlug } from '../../src/domain/slugs.ts';
import { createAuth } from '../../src/http/auth/index.ts';
import type { RouteGroup } from '../../src/http/kernel/route.ts';
import { createKernel } from '../../src/http/kernel/server.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { serviceGroups } from '../../src/http/routes/service/index.ts';
import { createMcpGroup } from '../../src/mcp/http.ts';
import { accountGroup, homePage, referencePages, webGroup } from '../../src/web/index.ts';
import { signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { openWebWorld, type WebWorld } from './world.ts';

const BASE = 'https://registry.example';
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; media-src 'self' https:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

interface Expected {
  name: string;
  title: string;
  // The types in the structured data, except the breadcrumb.
  data?: string[];
  forms?: string[];
  robots?: string;
  canonical?: string | null;
}

forEachEngine('pages', (engine) => {
  let world: WebWorld;
  before(async () => {
    world = await openWebWorld(engine);
  });

  const pages = (): Record<string, Expected> => ({
    '/': { name: 'home', title: 'Will this update break my code?', data: ['WebSite'], forms: ['json', 'atom'] },
    '/catalog': { name: 'catalog', title: 'Catalog' },
    '/catalog?q=a': { name: 'catalog', title: 'Catalog', robots: 'noindex, follow', canonical: '/catalog' },
    '/categories': { name: 'categories', title: 'Categories' },
    '/categories/ai': { name: 'category', title: 'AI', data: ['CollectionPage'], forms: ['json', 'md', 'atom'] },
    '/collections': { name: 'collections', title: 'Collections' },
    '/collections/good': {
      name: 'collection',
      title: 'Good things',
      data: ['CollectionPage'],
      forms: ['json', 'md', 'atom'],
    },
    '/tags': { name: 'tags', title: 'Tags' },
    '/tags/agents': { name: 'tag', title: 'Agents' },
    '/search?q=widgets': { name: 'search', title: 'Search: widgets', robots: 'noindex, follow', canonical: null },
    '/acme': { name: 'org', title: 'Acme', data: ['Organization', 'ItemList'], forms: ['json', 'md', 'atom'] },
    '/acme?kind=sdk': {
      name: 'org',
      title: 'Acme',
      data: ['Organization', 'ItemList'],
      forms: ['json', 'md', 'atom'],
      robots: 'noindex, follow',
      canonical: '/acme',
    },
    '/acme/overview': { name: 'org-overview', title: 'Acme overview', forms: ['json', 'md'] },
    '/acme/sources': { name: 'org-sources', title: 'Acme sources' },
    '/acme/widgets': {
      name: 'product',
      title: 'Widgets',
      data: ['SoftwareApplication'],
      forms: ['json', 'md', 'atom'],
    },
    '/acme/widgets-js': { name: 'source', title: 'widgets-js', forms: ['json', 'md', 'atom'] },
    '/acme/widgets-js/highlights': { name: 'highlights', title: 'widgets-js highlights' },
    '/source/lone': { name: 'source', title: 'Lone', forms: ['json', 'md', 'atom'] },
    [`/release/${world.ids.release}`]: {
      name: 'release',
      title: 'Two',
      data: ['TechArticle'],
      forms: ['json', 'md'],
      robots: 'noindex, follow',
      canonical: `/release/${world.ids.release}-two`,
    },
    '/whats-changed': { name: 'whats-changed', title: 'What’s changed' },
    '/live': { name: 'live', title: 'Live' },
    '/docs': { name: 'docs', title: 'Docs' },
    '/docs/feeds': { name: 'guide', title: 'Feeds', forms: ['md'] },
    '/about': { name: 'about', title: 'About' },
    '/about/crawler': { name: 'crawler', title: 'How this registry fetches' },
  });

  it('no page gives an unknown parameter back', async () => {
    const { cookieHeader } = await signUp(world);
    const own = ['/following', '/account', '/account/webhooks?org=acme', '/account/security', '/device'];
    const signIn = ['/login', '/signup', '/forgot-password', '/reset-password', '/account/undo-email'];
    for (const path of [...Object.keys(pages()), ...own, ...signIn, '/nothing/here/at/all']) {
      const asked = `${path}${path.includes('?') ? '&' : '?'}stray=zq7mark&next_stray[]=zq7mark`;
      for (const cookies of ['', cookieHeader]) {
        const answer = await world.anonymous.get(asked, { Accept: 'text/html', Cookie: cookies });
        const text = `${answer.text} ${answer.headers.get('location')}`;
        assert.doesNotMatch(text, /zq7mark|stray/, asked);
      }
    }
    const filtered = await world.anonymous.get('/acme?kind=sdk&stray=zq7mark', { Accept: 'text/html' });
    assert.match(filtered.text, /kind=sdk/);
  });

  it('every page has its head, its data blocks and its alternates', async () => {
    for (const [path, expected] of Object.entries(pages())) {
      const answer = await world.anonymous.get(path, { Accept: 'text/html' });
      assert.equal(answer.status, 200, path);
      const $ = load(answer.text);
      assert.equal($('main').attr('data-page'), expected.name, path);
      assert.equal($('head > title').text(), `${expected.title} · Test Registry`);
      const description = $('meta[name=description]').attr('content') ?? '';
      assert.ok(description.length > 0 && description.length <= 160, path);
      assert.equal($('meta[property="og:title"]').attr('content'), expected.title);
      assert.equal($('meta[property="og:description"]').attr('content'), description);
      const ofAcme = ['org', 'release'].includes(expected.name) && path !== '/other';
      const picture = $('meta[property="og:image"]').attr('content');
      assert.equal(picture, ofAcme ? 'https://acme.example/a.png' : `${BASE}/social.png`, path);
      const type = $('meta[property="og:type"]').attr('content');
      assert.equal(type, expected.name === 'release' ? 'article' : 'website', path);
      assert.equal($('meta[name=robots]').attr('content'), expected.robots, path);
      const { canonical = path } = expected;
      assert.equal($('link[rel=canonical]').attr('href'), canonical === null ? undefined : `${BASE}${canonical}`);
      assert.equal($('link[rel=search]').attr('href'), '/opensearch.xml');
      const types = $('script[type="application/ld+json"]')
        .toArray()
        .map((block) => JSON.parse($(block).text())['@type']);
      const trail = path === '/' || canonical === null ? [] : ['BreadcrumbList'];
      assert.deepEqual(types, [...(expected.data ?? []), ...trail], path);
      const forms = $('link[rel=alternate]')
        .toArray()
        .map((link) => link.attribs.href?.split('.').at(-1));
      assert.deepEqual(forms, expected.forms ?? [], path);
      assert.equal($('h1').length, 1, path);
    }
    const release = await world.anonymous.get(`/release/${world.ids.release}`);
    assert.match(release.text, /"isBasedOn":"https:\/\/releases\.example\/2\.0\.0"/);
  });

  it('every page has its headers, and belongs to one caller where it knows them', async () => {
    for (const path of Object.keys(pages())) {
      const { headers } = await world.anonymous.get(path);
      const isRelease = path.startsWith('/release/');
      assert.equal(headers.get('content-security-policy'), POLICY, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin');
      assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/);
      assert.match(headers.get('strict-transport-security') ?? '', /^max-age=31536000/);
      assert.equal(headers.get('vary'), 'Accept, Cookie, Accept-Encoding', path);
      const cache = isRelease ? 'no-cache' : 'public, max-age=60, stale-while-revalidate=300';
      assert.equal(headers.get('cache-control'), cache, path);
      assert.match(headers.get('etag') ?? '', /^W\/"/, path);
      const mine = await world.anonymous.get(path, { Cookie: '__Secure-registry.session_token=x' });
      assert.equal(mine.headers.get('cache-control'), 'private, no-store', path);
    }
  });

  it('the home page leads programs to the API and tells how many releases there are', async () => {
    const home = await world.anonymous.get('/');
    assert.equal(home.headers.get('link'), '</.well-known/api-catalog>; rel="api-catalog"');
    assert.equal((await world.anonymous.get('/', { Accept: 'application/json' })).body.version, 'v1');
    const { totals } = (await world.anonymous.get('/v1/stats')).body;
    assert.ok(totals.releases > 0);
    assert.ok(home.text.includes(`<dt>Releases</dt><dd>${totals.releases.toLocaleString('en')}</dd>`));
  });

  it('the API reference is whole, and everything that it loads lies here', async () => {
    const { anonymous } = world;
    const page = await anonymous.get('/v1/docs');
    assert.equal(page.status, 200);
    assert.match(page.text, /\/v1\/releases\/\{rel\}/);
    const addresses = [...page.text.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    const elsewhere = addresses.filter((address) => /^https?:/.test(address) && !address.startsWith(`${BASE}/`));
    assert.deepEqual(elsewhere, []);
    const ids = new Set([...page.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`));
    const lost = addresses.filter((address) => address.startsWith('#') && !ids.has(address));
    assert.deepEqual(lost, []);
    const assets = addresses.filter((address) => address.startsWith('/assets/'));
    assert.equal(assets.length, 4);
    for (const path of assets) {
      const asset = await anonymous.get(path);
      assert.equal(asset.status, 200, path);
      assert.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
      assert.match(asset.headers.get('content-type') ?? '', /^(?:text\/(?:css|javascript)|font\/woff2)/, path);
    }
    const other = await anonymous.get('/assets/web/other.js', { Accept: 'application/json' });
    assert.equal(other.body.error.code, 'not_found');
  });

  it('a page has one address', async () => {
    const { anonymous, ids } = world;
    const moves: Record<string, string> = {
      '/acme/releases?kind=sdk': '/acme?kind=sdk',
      '/acme/product/widgets': '/acme/widgets',
      '/ACME/product/Widgets': '/acme/widgets',
      '/feed': '/live',
      [`/${ids.org}`]: '/acme',
      [`/${ids.org}.atom?kind=sdk`]: '/acme.atom?kind=sdk',
      '/Acme': '/acme',
      '/ACME/overview': '/acme/overview',
      '/Acme/sources': '/acme/sources',
      '/acme.example': '/acme',
      '/Acme/Widgets-JS.md': '/acme/widgets-js.md',
      [`/acme/${ids.product}`]: '/acme/widgets',
      [`/acme/${ids.js}/highlights`]: '/acme/widgets-js/highlights',
      [`/sources/${ids.js}`]: '/acme/widgets-js',
      [`/sources/${ids.lone}/changelog`]: '/source/lone/changelog',
      [`/source/${ids.lone}`]: '/source/lone',
      '/categories/ml': '/categories/ai',
      '/categories/ml.json?limit=1': '/categories/ai.json?limit=1',
      '/categories/AI': '/categories/ai',
      [`/collections/${ids.collection}`]: '/collections/good',
      '/docs/Feeds': '/docs/feeds',
    };
    for (const [from, to] of Object.entries(moves)) {
      const answer = await anonymous.get(from);
      assert.deepEqual([answer.status, answer.headers.get('location')], [308, to], from);
    }
    const slashes: Record<string, string> = {
      '/acme/': '/acme',
      '/acme/?kind=sdk': '/acme?kind=sdk',
      '//acme//widgets': '/acme/widgets',
      '/acme.json/': '/acme.json',
      '//': '/',
      '//evil.example/': '/evil.example',
      '/\\evil.example/': '/evil.example',
    };
    for (const [from, to] of Object.entries(slashes)) {
      assert.deepEqual(await rawLocation(world.url, from), [308, to], from);
    }
    assert.equal((await rawLocation(world.url, '/v1/orgs/'))[0], 200);

    // The slug after the id of a release is optional.
    for (const path of [`/release/${ids.release}`, `/release/${ids.release}-anything-else`]) {
      const answer = await anonymous.get(path);
      assert.equal(answer.status, 200, path);
      assert.match(answer.text, new RegExp(`<link rel="canonical" href="${BASE}/release/${ids.release}-two">`));
    }
  });

  it('what is withdrawn, hidden or unknown is a page that helps on', async () => {
    const { anonymous, root } = world;
    const [, covering, , withdrawn] = (await anonymous.get('/v1/orgs/acme/releases?limit=9')).body.releases;
    await root.post(`/v1/releases/${world.ids.release}/coverage`, { coverageIds: [covering.id] });
    const covered = await anonymous.get(`/release/${covering.id}`);
    assert.deepEqual([covered.status, covered.headers.get('location')], [308, `/release/${world.ids.release}`]);
    assert.equal(
      (await anonymous.get(`/release/${covering.id}.json`)).text,
      (await anonymous.get(`/v1/releases/${covering.id}`)).text,
    );
    await root.post(`/v1/releases/${withdrawn.id}/suppress`, {});
    await root.patch('/v1/orgs/other', { isHidden: true });
    for (const path of [
      `/release/${withdrawn.id}`,
      '/release/x',
      '/other',
      '/other/sources',
      '/other/single',
      '/a/b',
    ]) {
      const answer = await anonymous.get(path);
      assert.equal(answer.status, 404, path);
      const $ = load(answer.text);
      assert.equal($('main').attr('data-page'), 'error');
      assert.equal($('main form[action="/search"] input[name=q]').length, 1);
      assert.equal($('main a[href="/"]').length, 1);
      assert.equal($('meta[name=robots]').attr('content'), 'noindex, follow');
      assert.equal(answer.headers.get('content-security-policy'), POLICY);
      assert.doesNotMatch(answer.text, /node:|\.ts:\d/);
    }
    await root.patch('/v1/orgs/other', { isHidden: false });
  });

  it('crawlers may read all public pages, and nothing else', async () => {
    const { text } = await world.anonymous.get('/robots.txt');
    assert.match(text, /^User-agent: \*\nAllow: \/\nDisallow: \/api\/\nDisallow: \/account\nDisallow: \/admin\n/);
    assert.match(text, /\nSitemap: https:\/\/registry\.example\/sitemap\.xml\n$/);
    assert.doesNotMatch(text, /\/release/);
  });

  it('the file for language models lists pages that there are', async () => {
    const { anonymous } = world;
    const llms = await anonymous.get('/llms.txt');
    assert.equal(llms.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.match(llms.headers.get('cache-control') ?? '', /max-age=300/);
    assert.match(llms.text, /^# Test Registry\n\n> .+\n(?:.*\n)*## Docs\n(?:.*\n)*## Optional\n/);
    for (const [, link = ''] of llms.text.matchAll(/\]\((https:[^)]+)\)/g)) {
      assert.equal((await anonymous.get(link.replace(BASE, ''))).status, 200, link);
    }
  });

  it('a browser finds name, pictures and whom to tell of a hole', async () => {
    const { anonymous } = world;
    const manifest = await anonymous.get('/manifest.webmanifest');
    assert.equal(manifest.headers.get('content-type'), 'application/manifest+json');
    assert.equal(manifest.body.name, 'Test Registry');
    assert.match((await anonymous.get('/favicon.svg')).headers.get('content-type') ?? '', /^image\/svg/);
    assert.equal((await anonymous.head('/social.png')).headers.get('content-type'), 'image/png');
    const security = await anonymous.get('/.well-known/security.txt');
    assert.match(security.text, /^Contact: mailto:ops@registry\.example\nExpires: \d{4}-\d\d-\d\dT00:00:00\.000Z\n/);
  });

  it('a browser can search from its address bar', async () => {
    const { anonymous } = world;
    const search = load((await anonymous.get('/opensearch.xml')).text, { xml: true });
    const [html, suggestions] = search('Url').toArray();
    assert.equal(html?.attribs.template, `${BASE}/search?q={searchTerms}`);
    assert.equal(suggestions?.attribs.template, `${BASE}/search/suggest?q={searchTerms}`);
    const names = JSON.parse((await anonymous.get('/search/suggest?q=Widg')).text);
    assert.equal(names[0], 'Widg');
    assert.ok(names[1].includes('Widgets') && names[1].length <= 8, names[1].join());
    assert.equal((await anonymous.get('/search/suggest?q=')).text, '["",[]]');
  });

  it('the sitemap lists all pages of entities with their newest release, and leads nowhere else', async () => {
    const { anonymous, ids } = world;
    const index = load((await anonymous.get('/sitemap.xml')).text, { xml: true });
    const parts = index('sitemap > loc')
      .toArray()
      .map((loc) => index(loc).text().replace(BASE, ''));
    const found = new Map<string, string>();
    for (const part of parts) {
      const $ = load((await anonymous.get(part)).text, { xml: true });
      for (const url of $('url').toArray()) {
        found.set($(url).children('loc').text().replace(BASE, ''), $(url).children('lastmod').text());
      }
    }
    for (const path of ['/', '/docs/mcp', '/acme', '/acme/overview', '/acme/widgets', `/sources/${ids.covered}`]) {
      assert.ok(found.has(path), path);
    }
    assert.equal(found.get('/acme'), '2026-03-09T09:00:00.000Z');
    assert.equal(found.get('/acme/widgets-js'), '2026-03-09T09:00:00.000Z');
    assert.equal(found.get('/collections/good'), '2026-03-09T09:00:00.000Z');
    assert.equal(found.get('/categories/ai'), '2026-03-09T09:00:00.000Z');
    assert.equal(found.get('/other'), '');
    for (const path of found.keys()) assert.equal((await anonymous.get(path)).status, 200, path);
    for (const part of ['orgs-2', 'orgs-0', 'nothing-1', 'categories-2']) {
      assert.equal((await anonymous.get(`/sitemap/${part}.xml`)).status, 404, part);
    }
  });

  it('no slug can stand in the way of a route', async () => {
    const { ctx } = await engine.openTestApp();
    const credentials = createCredentials(ctx, null);
    const auth = createAuth(ctx, credentials);
    const input = { ctx, credentials, idempotency: { run: runOnce } };
    const groups: RouteGroup[] = [
      ...auth.groups,
      createMcpGroup(ctx, { routes: ROUTES, credentials, version: '0' }),
      webGroup(ROUTES),
      accountGroup(auth.routes, credentials),
      ...serviceGroups(createKernel(input), { api: { routes: ROUTES, home: homePage, reference: referencePages } }),
    ];
    const paths = groups.flatMap(({ prefix, routes }) => routes.map(({ path }) => `${prefix}${path}`));
    const segments = paths.map((path) => path.split('/').slice(1));
    // A segment with a dot is not a slug.
    const isFixed = (segment = '') => segment !== '' && !segment.startsWith('{') && !segment.includes('.');
    const first = new Set(segments.map(([segment]) => segment ?? '').filter(isFixed));
    assert.ok(['v1', 'api', 'mcp', 'login', 'account', 'docs', 'sitemap'].every((segment) => first.has(segment)));
    assert.deepEqual(
      [...first].filter((segment) => !isReservedOrgSlug(segment)),
      [],
    );
    const below = segments.filter(([start]) => start === '{org}' || start === 'collections' || start === 'source');
    const second = new Set(below.map(([, segment]) => segment ?? '').filter(isFixed));
    assert.ok(second.has('overview'));
    assert.deepEqual(
      [...second].filter((segment) => !isReservedChildSlug(segment)),
      [],
    );
  });
});

// Sends the path unchanged, without the normalization of clients.
function rawLocation(url: string, path: string): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    request(url, { path }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.location]);
    })
      .on('error', reject)
      .end();
  });
}
