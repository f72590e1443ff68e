// Every public GET at the parameters that cost most. Paths come from the OpenAPI document and from the declarations of the
// pages, so that none is forgotten; a path that is not in the tables has no parameters that could cost more.
import type { RouteDeclaration } from '../src/http/kernel/route.ts';
import { webGroup } from '../src/web/index.ts';
import { readJson } from './service.ts';

interface WorstRequest {
  // With names of entities in braces.
  template: string;
  accept: string;
}

// Filters that nothing fits, so that whoever walks a feed finds no place to stop.
const NOTHING = 'source_type=video&kind=docs&type=rollup&breaking=major&minImportance=5';
const RARE = 'breaking=major&minImportance=5';
const WHOLE = 'limit=100&include_content=true';
const FEED = [
  'limit=100&include_coverage=true&include_prereleases=true',
  `${WHOLE}&include_coverage=true&include_prereleases=true`,
  'q=the&limit=100',
  `q=the&${WHOLE}`,
  'q=zzqqxx',
  'since=1970-01-01',
];
const FILTERED = [
  ...FEED,
  NOTHING,
  RARE,
  `${RARE}&${WHOLE}`,
  'kind=docs',
  'type=rollup',
  'exclude=github,feed,scrape',
  'exclude=feed&limit=100',
  'q=the&kind=docs',
  `since=7d&${NOTHING}`,
  `q=the&${RARE}&limit=100`,
];
const SEARCHED = [
  'q=the',
  'q=the+for+in&limit=100&offset=900',
  'q=the&offset=1000',
  `q=the&${NOTHING}`,
  'q=a*',
  'q=zzqqxx',
  'q=the&limit=100&include_content=true',
  'q=the&limit=100&collection={col}',
  'q=the&limit=100&org={org}',
  'q=the&limit=100&category={slug}&since=1970-01-01',
];
const YEARS = ['', 'from=1970-01-01&to=9999-12-31'];
const WINDOW = ['cutoff=1970-01-01&limit=2000', 'cutoff=1970-01-01'];

// What the API asks for below `/v1`.
const WORST_CALLS: Record<string, readonly string[]> = {
  '/orgs/{org}/activity': YEARS,
  '/products/{prod}/activity': YEARS,
  '/sources/{src}/activity': YEARS,
  '/collections': ['q=e', 'limit=500'],
  '/collections/{col}/releases': [...FILTERED, 'orgs=nobody'],
  '/lookups/by-domain': ['domain=nobody.example'],
  '/lookups/source-by-slug': ['slug=nobody', 'slug={source}'],
  '/lookups/product-by-slug': ['slug=nobody', 'slug={product}'],
  '/lookups/source-by-coordinate': ['coordinate=nobody/nothing'],
  '/lookups/package': ['ecosystem=npm&name=nobody'],
  '/orgs': [
    'limit=500',
    'limit=500&page=4',
    'limit=500&q=e',
    'q=zzqqxx',
    'limit=500&includeEmpty=true&category=ai',
    'featured=true',
    'featured=false&limit=500&status=tracked',
  ],
  '/orgs/{org}/tags': ['limit=500'],
  '/orgs/{org}/accounts': ['', 'platform=github', 'limit=500'],
  '/orgs/{org}/releases': FILTERED,
  '/orgs/{org}/recent-releases': [
    'since=1970-01-01',
    'since=1970-01-01&limit=2000&include_coverage=true&include_prereleases=true',
  ],
  '/orgs/{org}/products': ['limit=500'],
  '/orgs/{org}/catalog': ['limit=500'],
  '/packages': ['', 'name=nobody', 'limit=500'],
  '/products': ['limit=500&q=e', 'category=ai', 'limit=500'],
  '/products/{prod}': FEED,
  '/related/releases': ['release={rel}&limit=20', 'release={rel}&scope=org'],
  '/related/sources': ['source={src}&limit=20'],
  '/sources/{src}/releases': FEED,
  '/releases/latest': [...FILTERED.filter((query) => !query.startsWith('q=')), 'org={org}', 'until=1971-01-01'],
  '/releases/{rel}/revisions': ['include_content=true'],
  '/search': SEARCHED,
  '/search/releases': SEARCHED,
  '/sources': [
    'limit=500&sort=latest_date&dir=desc',
    'limit=500&sort=org',
    'limit=500&q=e',
    'q=zzqqxx',
    'stale=true&limit=500',
    'limit=500&offset=3000',
    'offset=3500&limit=1',
    'minRels30d=1000000',
    'minRels30d=2&limit=500',
    'hasChangelog=true',
    'category=ai&limit=500',
  ],
  '/sources/{src}': [...FEED, 'page=10', 'page=100000&pageSize=100'],
  '/sources/{src}/recent-releases': WINDOW,
  '/sources/{src}/known-releases': ['limit=500'],
  '/stats': ['', 'days=3650', 'days=1'],
  '/summaries': ['sourceId={src}'],
  '/categories/{slug}/releases': [...FILTERED, 'orgs=nobody'],
  '/tags': ['limit=500'],
  '/whats-changed': [
    'package={source}&from=0.0.1&to=latest',
    'package={source}&from=0.0.1&to=latest&include_prereleases=true&tokens=100000',
    'package=nobody&from=1.0.0&to=latest',
  ],
};

const LISTED = ['', 'q=the', 'q=zzqqxx', 'breaking=major&minImportance=5', 'type=rollup&prereleases=true'];

const WORST_PAGES: Record<string, readonly string[]> = {
  '/catalog': ['', 'q=e', 'page=20', 'empty=true'],
  '/categories/{slug}': LISTED,
  '/collections/{col}': LISTED,
  '/search': ['q=the', 'q=the+for+in&offset=900', 'q=a*', 'q=zzqqxx', 'q=the&breaking=major&range=year'],
  '/search/suggest': ['q=e', 'q=zzqqxx'],
  '/whats-changed': ['package={source}&from=0.0.1&to=latest'],
  '/{org}': LISTED,
  '/{org}/{slug}': [...LISTED, 'page=10'],
  '/source/{source}': LISTED,
};

// Streams do not end, private feeds have an address that nobody can guess, and files that were never fetched are absent.
const LEFT_OUT = /^\/(?:releases\/stream|feed\/|.*\/changelog$)/;
const FILES = ['pages', 'orgs-1', 'products-1', 'sources-1', 'categories-1', 'collections-1'].map(
  (name) => `${name}.xml`,
);

export async function worstRequests(url: string): Promise<WorstRequest[]> {
  return [
    ...(await worstCalls(url)),
    ...requests('/', [''], 'text/html'),
    ...webGroup([]).routes.flatMap(pageRequests),
  ];
}

interface Document {
  paths: Record<string, { get?: PublicGet }>;
}

interface PublicGet {
  security?: object[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

async function worstCalls(url: string): Promise<WorstRequest[]> {
  const { paths } = (await readJson(`${url}/v1/openapi.json`)) as Document;
  return Object.entries(paths).flatMap(([whole, { get }]) => {
    const path = whole.replace('/v1', '');
    if (!get || isGated(get) || LEFT_OUT.test(path)) return [];
    const types = Object.keys(get.responses['200']?.content ?? {}).filter((type) => !type.startsWith('text/event'));
    return types.flatMap((accept) => requests(whole, queriesOf(path), accept));
  });
}

function isGated({ security = [] }: PublicGet): boolean {
  return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);
}

// The path below an org asks the same as the bare one.
function queriesOf(path: string): readonly string[] {
  const bare = path
    .replace('/orgs/{org}/sources/{source}', '/sources/{src}')
    .replace('/orgs/{org}/products/{product}', '/products/{prod}');
  return WORST_CALLS[path] ?? WORST_CALLS[bare] ?? [''];
}

function pageRequests({ method, path, suffixes = [] }: RouteDeclaration): WorstRequest[] {
  if (method !== 'GET') return [];
  if (path === '/sitemap/{part}') return FILES.flatMap((file) => requests(path.replace('{part}', file), [''], '*/*'));
  const queries = WORST_PAGES[path] ?? [''];
  return ['', ...suffixes.map((suffix) => `.${suffix}`)].flatMap((suffix) =>
    requests(`${path}${suffix}`, suffix ? [''] : queries, suffix ? '*/*' : 'text/html'),
  );
}

function requests(path: string, queries: readonly string[], accept: string): WorstRequest[] {
  return queries.map((query) => ({ template: `${path}${query && `?${query}`}`, accept }));
}
