// /{org}: the releases of an organization, newest first, with its details in the side panel.

import type { Kind } from '../../contract/enums.ts';
import { ApiError } from '../../contract/errors.ts';
import type { OrgDetail } from '../../contract/org.ts';
import { isReservedOrgSlug } from '../../domain/slugs.ts';
import { orgHeatmap } from '../../entities/activity/counts.ts';
import { collectionsOfOrg } from '../../entities/collections/collection-fields.ts';
import { addressedOrg } from '../../entities/open.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { orgSubject } from '../../releases/atom/subjects.ts';
import { orgFeed } from '../../releases/feeds/org.ts';
import { emptyReleases } from '../components/empty-list.ts';
import { filterOf, filterRow, listEnd, listQuery } from '../components/filter-row.ts';
import { heatmap } from '../components/heatmap.ts';
import { html } from '../components/html.ts';
import { asData, orgFacts, orgHead, orgLabels } from '../components/org-frame.ts';
import { command, empty } from '../components/parts.ts';
import { releaseList } from '../components/release-list.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { orgDocument } from '../formats/markdown.ts';
import { breadcrumbs, pictureOf } from '../frame/document.ts';
import { collectionPath, orgPath } from '../links.ts';
import { page, SUFFIX } from '../page.ts';

const ROWS = 30;
// The number of releases in the structured data.
const LISTED = 10;

export const orgPage = page({
  path: '/{org}',
  summary: 'An organization and its releases',
  dependsOn: 'resolved',
  query: listQuery,
  moved: async (ctx, { org = '' }) => {
    // A page of the registry without this form.
    if (isReservedOrgSlug(org.replace(SUFFIX, ''))) throw new ApiError('not_found', `no such page: /${org}`);
    const { slug } = await addressedOrg(ctx, org);
    return slug === org ? null : orgPath(slug);
  },
  formats: {
    json: apiAnswer(({ org = '' }) => `/orgs/${segment(org)}`),
    md: orgDocument,
    atom: atomFeed({ subject: (ctx, { org = '' }) => orgSubject(ctx, org), productsOf: ({ org = '' }) => org }),
  },
  load: async (ctx, { params, query }) => {
    const name = params.org ?? '';
    const org = await orgDetail(ctx, { org: name });
    const [feed, year, collections] = await Promise.all([
      orgFeed(ctx, {
        org: name,
        filter: filterOf(query, ctx.clock().getTime()),
        page: { cursor: query.cursor, limit: ROWS, includeContent: false },
      }),
      orgHeatmap(ctx, { org: name }),
      collectionsOfOrg(ctx, org.id),
    ]);
    return { org, feed, year, collections };
  },
  show: ({ org, feed, year, collections }, shell, { query }) => {
    const path = orgPath(org.slug);
    const next = feed.pagination.nextCursor;
    const list =
      org.status === 'stub'
        ? stubNotice(org)
        : feed.releases.length === 0
          ? emptyReleases({
              name: org.name,
              path,
              query,
              total: org.releaseCount,
              sources: org.sources,
              sourcesPath: `${path}/sources`,
            })
          : releaseList(feed.releases, { now: shell.now, lead: 'source' });
    return {
      name: 'org',
      head: {
        title: org.name,
        description: org.description,
        canonical: path,
        image: pictureOf(org.name, org.avatarUrl),
        card: { url: `${shell.webUrl}${path}/card.png`, alt: org.name },
        forms: ['json', 'md', 'atom'],
        robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
        jsonLd: [
          { '@type': 'Organization', name: org.name, url: org.domain ? `https://${org.domain}` : undefined },
          {
            '@type': 'ItemList',
            name: `Releases of ${org.name}`,
            itemListElement: feed.releases.slice(0, LISTED).map(({ title, version, webUrl }, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              name: title || version,
              url: webUrl,
            })),
          },
          breadcrumbs(shell, [
            { name: 'Catalog', path: '/catalog' },
            { name: org.name, path },
          ]),
        ],
      },
      body: html`${orgHead(org, 'releases', shell)}
<div class="cols"><div><h2 class="sr">Releases</h2>${filterRow(query, { total: org.releaseCount, kinds: kindsOf(org), types: org.sources.map(({ type }) => type) })}${list}${listEnd({ path, shown: feed.releases.length, total: org.releaseCount, next }, shell, query)}</div>
<aside class="panel" aria-label="About ${org.name}">
${orgLabels(org)}${collections.length > 0 ? html`<section><h2>Collections</h2><ul class="linklist">${collections.map(({ slug, name }) => html`<li><a href="${collectionPath(slug)}">${name}</a></li>`)}</ul></section>` : ''}
${year.total > 0 ? html`<section class="full"><h2>The last year</h2>${heatmap(year, shell.now)}</section>` : ''}
${orgFacts(org, shell)}${asData(path, ['atom', 'json', 'md'])}
<section><h2>In a terminal</h2>${command(`registry org releases ${org.slug}`, 'Releases in a terminal')}</section>
<section><h2>For agents</h2>${command(`${shell.webUrl}/mcp`, 'Address of the MCP server')}</section>
</aside></div>`,
    };
  },
});

// A release has the kind of its source, else that of its product.
function kindsOf({ sources, products }: OrgDetail): (Kind | null)[] {
  const ofProduct = new Map(products.map(({ slug, kind }) => [slug, kind]));
  return sources.map(({ kind, productSlug }) => kind ?? ofProduct.get(productSlug ?? '') ?? null);
}

function stubNotice(org: { name: string; locations: readonly { url?: string; feed?: string; github?: string }[] }) {
  const known = org.locations
    .map(({ url, feed, github }) => url ?? feed ?? (github ? `github.com/${github}` : ''))
    .filter(Boolean);
  return empty({
    title: `The registry does not follow ${org.name} yet`,
    text: known.length > 0 ? `Its known places are ${known.join(', ')}.` : 'No place where it publishes is known.',
  });
}
