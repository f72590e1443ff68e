// The parts of an organization: products and sources, collections, accounts, tags.
import { z } from 'zod';
import { collectionListItem } from '../../contract/collection.ts';
import { account } from '../../contract/org.ts';
import { orgCatalog as orgCatalogShape, resolvedEntry } from '../../contract/org-catalog.ts';
import { pageOf } from '../../contract/pagination.ts';
import { param } from '../../contract/parameters.ts';
import { productRecord } from '../../contract/product.ts';
import { limitLike, oneOf, pageNumber, text } from '../../contract/query.ts';
import { collectionsOfOrg } from '../../entities/collections/collection-fields.ts';
import { openOrg } from '../../entities/open.ts';
import { findAccount, listAccounts } from '../../entities/orgs/accounts.ts';
import { orgCatalog } from '../../entities/orgs/catalog.ts';
import { listOrgTags } from '../../entities/orgs/labels.ts';
import { listOrgProducts } from '../../entities/orgs/products.ts';
import { resolveSlug } from '../../releases/details/resolve-slug.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Orgs';
const paging = { page: pageNumber(), limit: limitLike({ default: 500, max: 500 }) };

export const orgListRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/orgs/{org}/products',
    summary: 'Products of an org by name',
    description: "A page of the organization's products with their counts.",
    tag,
    access: 'public',
    query: { ...paging, kind: param.kind },
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
      entryType: oneOf(['source', 'product']).describe('Only products, or only sources.'),
      kind: param.kind,
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
    query: { ...paging, platform: text().describe('Only the account on this platform.') },
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
