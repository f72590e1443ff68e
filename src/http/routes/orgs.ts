import { z } from 'zod';
import { collectionsOfOrg } from '../../catalog/collections/list.ts';
import { orgMarkdown } from '../../catalog/markdown/org.ts';
import { feedMarkdown } from '../../catalog/markdown/release.ts';
import { openOrg } from '../../catalog/open.ts';
import { findAccount, listAccounts } from '../../catalog/orgs/accounts.ts';
import { orgCatalog } from '../../catalog/orgs/catalog.ts';
import { orgDetail } from '../../catalog/orgs/detail.ts';
import { orgFeed, recentOrgReleases } from '../../catalog/orgs/feed.ts';
import { listOrgTags } from '../../catalog/orgs/labels.ts';
import { listOrgs } from '../../catalog/orgs/list.ts';
import { listOrgProducts } from '../../catalog/orgs/products.ts';
import { resolveSlug } from '../../catalog/orgs/resolve-slug.ts';
import { collectionListItem } from '../../contract/collection.ts';
import { KINDS, ORG_STATUSES } from '../../contract/enums.ts';
import { account, orgDetail as orgDetailShape, orgList, orgListItem } from '../../contract/org.ts';
import { orgCatalog as orgCatalogShape, resolvedEntry } from '../../contract/org-catalog.ts';
import { pageOf } from '../../contract/pagination.ts';
import { productRecord } from '../../contract/product.ts';
import { flag, lenientText, limitLike, oneOf, pageNumber, requiredText, text } from '../../contract/query.ts';
import { releaseFeed, releaseItem } from '../../contract/release.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, wideFeedQuery } from './feed-query.ts';

const tag = 'Orgs';
// As it was sent: to ask at all needs the admin scope, whatever the value.
const trackingRequested = z
  .array(z.string())
  .default([])
  .transform(([value]) => value)
  .meta({ param: { type: 'boolean' } });

const paging = { page: pageNumber(), limit: limitLike({ default: 500, max: 500 }) };

export const orgRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/orgs',
    summary: 'Orgs by name; those without a release only on demand',
    description:
      'A page of organizations with counts and a sparkline. Stubs and empty ones are listed on demand; `envelope=false` answers the bare list.',
    tag,
    access: 'public',
    query: {
      ...paging,
      q: text({ max: 200 }),
      query: text({ max: 200 }),
      category: lenientText({ max: 80 }),
      includeEmpty: flag(),
      featured: flag(),
      status: oneOf(ORG_STATUSES),
      include_hidden: flag(),
      trackingRequested,
      envelope: flag(),
    },
    lenientQuery: ['category'],
    answers: { 200: z.union([orgList, z.array(orgListItem)]) },
    errors: ['bad_request', 'forbidden'],
    cache: [60, 30],
    run: async (ctx, { query }) => {
      const { include_hidden: includeHidden, envelope, ...input } = query;
      const list = await listOrgs(ctx, { ...input, q: query.q ?? query.query, includeHidden });
      return envelope === false ? list.items : list;
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}',
    summary: 'An org with its products, sources, figures and overview; the playbook for callers with a credential',
    description: 'Everything about one organization in one answer. `Accept: text/markdown` answers it as text.',
    tag,
    access: 'public',
    answers: { 200: orgDetailShape },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    vary: ['Cookie'],
    markdown: orgMarkdown,
    run: (ctx, { params }) => orgDetail(ctx, { org: params.org ?? '' }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/releases',
    summary: 'Releases of all sources of an org, newest first',
    description:
      'One feed over all sources of the organization, page by page with a cursor. Prereleases and repeated coverage are left out unless asked for.',
    tag,
    access: 'public',
    query: { ...wideFeedQuery, product: text() },
    answers: { 200: releaseFeed },
    errors: ['bad_request', 'invalid_cursor', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    markdown: (feed, { params }) => feedMarkdown({ organization: params.org }, feed),
    run: (ctx, { params, query }) =>
      orgFeed(ctx, {
        org: params.org ?? '',
        product: query.product,
        filter: feedFilter(ctx, query),
        page: feedPage(query),
      }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/recent-releases',
    summary: 'Releases of an org published since a date, newest first, in one list',
    description: 'All releases since the date in one bare list, at most 2000.',
    tag,
    access: 'public',
    query: {
      since: requiredText({ max: 64 }),
      limit: limitLike({ default: 500, max: 2000 }),
      include_coverage: flag(),
      include_prereleases: flag(),
    },
    answers: { 200: z.array(releaseItem) },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query: { since, limit, ...flags } }) =>
      recentOrgReleases(ctx, { org: params.org ?? '', since, limit, filter: feedFilter(ctx, flags) }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/products',
    summary: 'Products of an org by name',
    description: "A page of the organization's products with their counts.",
    tag,
    access: 'public',
    query: { ...paging, kind: oneOf(KINDS) },
    answers: { 200: pageOf(productRecord) },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => listOrgProducts(ctx, { org: params.org ?? '', ...query }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/catalog',
    summary: 'Products and sources of an org in one short list',
    description: 'A short list for menus and pickers: each entry says whether it is a product or a source.',
    tag,
    access: 'public',
    query: {
      entryType: oneOf(['source', 'product']),
      kind: oneOf(KINDS),
      limit: limitLike({ default: 100, max: 500 }),
    },
    answers: { 200: orgCatalogShape },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => orgCatalog(ctx, { org: params.org ?? '', ...query }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/resolve/{slug}',
    summary: 'The product, else the source, that a slug of an org means',
    description: 'Resolves a slug of an address that does not say what it names. Products win.',
    tag,
    access: 'public',
    answers: { 200: resolvedEntry },
    errors: ['not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params }) => resolveSlug(ctx, { org: params.org ?? '', slug: params.slug ?? '' }),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/collections',
    summary: 'Collections that hold the org or one of its products',
    description: 'All collections that list the organization or a product of it, by name.',
    tag,
    access: 'public',
    answers: { 200: z.array(collectionListItem) },
    errors: ['not_found'],
    cache: [120, 60],
    dependsOn: 'resolved',
    run: async (ctx, { params }) => collectionsOfOrg(ctx, (await openOrg(ctx, params.org ?? '')).id),
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/accounts',
    summary: 'Accounts of an org on other platforms, or the oldest one on a named platform',
    description: 'Handles of the organization elsewhere. With `platform` it answers one row, or null.',
    tag,
    access: 'public',
    query: { ...paging, platform: text() },
    answers: { 200: z.union([pageOf(account), account, z.null()]) },
    errors: ['not_found'],
    cache: [120, 60],
    dependsOn: 'resolved',
    run: (ctx, { params, query: { platform, ...page } }) => {
      const org = params.org ?? '';
      return platform === undefined ? listAccounts(ctx, { org, ...page }) : findAccount(ctx, { org, platform });
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/{org}/tags',
    summary: 'Tags of an org by name',
    description: "Names of the organization's tags, a page at a time.",
    tag,
    access: 'public',
    query: paging,
    answers: { 200: pageOf(z.string()) },
    errors: ['not_found'],
    cache: [300, 60],
    dependsOn: 'resolved',
    run: (ctx, { params, query }) => listOrgTags(ctx, { org: params.org ?? '', ...query }),
  }),
];
