// /{org}/sources: the sources of an organization and their health.

import type { OrgDetail } from '../../contract/org.ts';
import { addressedOrg } from '../../entities/open.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { filledTable } from '../components/filled-table.ts';
import { healthMark, lastCheck } from '../components/health.ts';
import { type Html, html, plural } from '../components/html.ts';
import { sourceTypeMark, splitPackage, versionMark } from '../components/marks.ts';
import { orgHead } from '../components/org-frame.ts';
import { empty } from '../components/parts.ts';
import { ago, upcoming } from '../components/time.ts';
import { breadcrumbs } from '../frame/document.ts';
import { orgPath, productPath, sourcePathBeside } from '../links.ts';
import { page } from '../page.ts';

type Source = OrgDetail['sources'][number];

export const orgSourcesPage = page({
  path: '/{org}/sources',
  summary: 'Where the releases of an organization are read',
  dependsOn: 'resolved',
  moved: async (ctx, { org = '' }) => {
    const { slug } = await addressedOrg(ctx, org);
    return slug === org ? null : `${orgPath(slug)}/sources`;
  },
  load: async (ctx, { params }) => ({ org: await orgDetail(ctx, { org: params.org ?? '' }) }),
  show: ({ org }, shell) => {
    const path = orgPath(org.slug);
    const groups = byProduct(org.sources);
    return {
      name: 'org-sources',
      head: {
        title: `${org.name} sources`,
        description: `Where this registry reads the releases of ${org.name}, and when it last did.`,
        canonical: `${path}/sources`,
        jsonLd: [
          breadcrumbs(shell, [
            { name: 'Catalog', path: '/catalog' },
            { name: org.name, path },
            { name: 'Sources', path: `${path}/sources` },
          ]),
        ],
      },
      body: html`${orgHead(org, 'sources', shell)}
${groups.length === 0 ? html`<div class="block">${empty({ title: `The registry does not follow ${org.name} yet`, text: 'No source of it is known here.' })}</div>` : groups.map((group) => section(group, org, shell.now))}`,
    };
  },
});

interface Group {
  product: { slug: string; name: string } | null;
  sources: Source[];
}

function byProduct(sources: readonly Source[]): Group[] {
  const groups = new Map<string, Group>();
  for (const source of sources) {
    const { productSlug, productName } = source;
    const group = groups.get(productSlug ?? '') ?? {
      product: productSlug && productName ? { slug: productSlug, name: productName } : null,
      sources: [],
    };
    group.sources.push(source);
    groups.set(productSlug ?? '', group);
  }
  return [...groups.values()].sort((a, b) =>
    (a.product?.name ?? '\uffff').localeCompare(b.product?.name ?? '\uffff', 'en'),
  );
}

function section({ product, sources }: Group, { slug: orgSlug, products }: OrgDetail, now: number): Html {
  const heading = product
    ? html`<a class="plain" href="${productPath(orgSlug, product.slug)}">${product.name}</a>`
    : products.length > 0
      ? 'Without a product'
      : 'All sources';
  const rows = sources.map((source): Html[] => [
    html`<a class="plain" href="${sourcePathBeside(products, source.orgSlug, source)}">${source.name}</a>`,
    sourceTypeMark(source.type),
    latest(source, now),
    ago(lastCheck(source), now),
    source.fetchState.nextCheckAt ? html`${upcoming(source.fetchState.nextCheckAt, now)}` : '',
    // Said once below the table where it is true of all.
    sources.some(isWatched) ? healthMark(source, now) : '',
  ]);
  const table = filledTable({ caption: plural(sources.length, 'source'), columns: COLUMNS, rows });
  const unwatched = sources.some(isWatched)
    ? ''
    : html`<p class="section-note">Their releases were brought in; nothing is checked for new ones.</p>`;
  return html`<section class="block"><h2>${heading}</h2><div class="table-wrap">${table}</div>${unwatched}</section>`;
}

const COLUMNS = [
  { name: 'Source' },
  { name: 'Type' },
  { name: 'Latest', none: 'none known' },
  { name: 'Last check', className: 'when', none: 'never' },
  { name: 'Next check', className: 'when', none: 'none planned' },
  { name: 'Health' },
];

function isWatched(source: Source): boolean {
  return lastCheck(source) !== null || source.fetchState.state !== 'paused';
}

function latest({ latestVersion, latestDate }: Source, now: number): Html {
  if (!latestVersion && !latestDate) return '';
  return html`${versionMark(splitPackage(latestVersion).version)} ${ago(latestDate, now)}`;
}
