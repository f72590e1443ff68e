// /sitemap.xml: an index of sitemaps. Releases are left out, because their pages are `noindex`.

import type { Context } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { keysOf } from '../../domain/records.ts';
import { type SitemapRow, type SitemapSection, sitemapCount, sitemapRows } from '../../entities/registry/sitemap.ts';
import { GROUPS, groupPath, REFERENCE_PATH, SCHEMAS_PATH } from '../../http/openapi/reference-paths.ts';
import { GUIDES } from '../guides.ts';
import {
  categoryPath,
  collectionPath,
  orgPath,
  packagePath,
  productPath,
  sourceIdPath,
  sourcePath,
  upgradePath,
} from '../links.ts';
import { escapeXml, fixedFile } from './file.ts';

// The protocol allows 50,000 URLs; a file of this size is written within milliseconds.
const MAX_URLS = 1_500;
const TYPE = 'application/xml; charset=utf-8';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const MAX_AGE = 3600;

const PAGES = [
  '/',
  '/catalog',
  '/packages',
  '/categories',
  '/collections',
  '/tags',
  '/live',
  '/whats-changed',
  '/docs',
  ...GUIDES.map(({ slug }) => `/docs/${slug}`),
  REFERENCE_PATH,
  ...GROUPS.map(groupPath),
  SCHEMAS_PATH,
  '/about',
  '/about/crawler',
];

// The paths of the pages of one entity.
const PATHS: Record<SitemapSection, (row: SitemapRow) => string[]> = {
  orgs: ({ slug }) => ['', '/overview', '/sources'].map((tab) => `${orgPath(slug)}${tab}`),
  products: ({ slug, orgSlug }) => [productPath(orgSlug ?? '', slug)],
  sources: ({ id, slug, orgSlug, isCovered }) => [isCovered ? sourceIdPath(id) : sourcePath(orgSlug, slug)],
  collections: ({ slug }) => [collectionPath(slug)],
  categories: ({ slug }) => [categoryPath(slug)],
  packages: ({ slug, orgSlug }) => [packagePath(orgSlug ?? '', slug)],
  upgrades: ({ slug, orgSlug, steps = [] }) =>
    steps.map((step) => upgradePath({ ecosystem: orgSlug ?? '', name: slug }, step)),
};
const SECTIONS = keysOf(PATHS);

function sliceOf(section: SitemapSection): number {
  return section === 'orgs' || section === 'upgrades' ? Math.floor(MAX_URLS / 3) : MAX_URLS;
}

async function partsOf(ctx: Context): Promise<string[]> {
  const parts = await Promise.all(
    SECTIONS.map(async (section) => {
      const count = await sitemapCount(ctx, section);
      const length = Math.ceil(count / sliceOf(section));
      return Array.from({ length }, (_, index) => `${section}-${index + 1}`);
    }),
  );
  return ['pages', ...parts.flat()];
}

const index = fixedFile({
  path: '/sitemap.xml',
  summary: 'All pages for search engines',
  type: TYPE,
  maxAge: MAX_AGE,
  text: async (ctx) => {
    const locations = (await partsOf(ctx)).map((part) => `${ctx.config.webUrl}/sitemap/${part}.xml`);
    const items = locations.map((location) => `<sitemap><loc>${escapeXml(location)}</loc></sitemap>\n`);
    return `<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${items.join('')}</sitemapindex>\n`;
  },
});

const part = fixedFile({
  path: '/sitemap/{part}',
  summary: 'A part of the pages for search engines',
  type: TYPE,
  maxAge: MAX_AGE,
  text: async (ctx, { part: file = '' }) => {
    const urls = file === 'pages.xml' ? PAGES.map((path) => ({ path, newest: null })) : await urlsOf(ctx, file);
    if (urls.length === 0) throw notFound('sitemap', file);
    const items = urls.map(({ path, newest }) => {
      const changed = newest ? `<lastmod>${newest}</lastmod>` : '';
      return `<url><loc>${escapeXml(`${ctx.config.webUrl}${path}`)}</loc>${changed}</url>\n`;
    });
    return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="${NAMESPACE}">\n${items.join('')}</urlset>\n`;
  },
});

async function urlsOf(ctx: Context, file: string): Promise<{ path: string; newest: string | null }[]> {
  const { name, number } = /^(?<name>[a-z]+)-(?<number>[1-9]\d{0,5})\.xml$/.exec(file)?.groups ?? {};
  const section = SECTIONS.find((known) => known === name);
  if (!section) return [];
  const limit = sliceOf(section);
  const offset = (Number(number) - 1) * limit;
  if (section === 'categories' && offset > 0) return [];
  const rows = await sitemapRows(ctx, { section, limit, offset });
  return rows.flatMap((row) => PATHS[section](row).map((path) => ({ path, newest: row.newest })));
}

export const sitemapRoutes = [index, part];
