import { z } from 'zod';
import { ORG_STATUSES } from '../../contract/enums.ts';
import { orgDetail as orgDetailShape, orgList, orgListItem } from '../../contract/org.ts';
import { param } from '../../contract/parameters.ts';
import { flag, lenientText, limitLike, oneOf, pageNumber, requiredText } from '../../contract/query.ts';
import { releaseFeed, releaseItem } from '../../contract/release.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { listOrgs } from '../../entities/orgs/list.ts';
import { orgFeed, recentOrgReleases } from '../../releases/feeds/org.ts';
import { orgMarkdown } from '../../releases/markdown/org.ts';
import { feedMarkdown } from '../../releases/markdown/release.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { feedFilter, feedPage, wideFeedQuery } from './feed-query.ts';

const tag = 'Orgs';
// The value is passed on unparsed: any use of the parameter needs the admin scope.
const trackingRequested = z
  .array(z.string())
  .default([])
  .transform(([value]) => value)
  .meta({
    param: { type: 'boolean' },
    description: 'true: only organizations that visitors asked to have tracked; needs the admin scope.',
  });

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
      q: param.q,
      query: param.query,
      category: lenientText({ max: 80 }).describe('Slug of a category, or one of its aliases.'),
      includeEmpty: flag().describe('true also lists organizations without a release.'),
      featured: param.featured,
      status: oneOf(ORG_STATUSES).describe('Only rows of this status.'),
      include_hidden: param.include_hidden,
      trackingRequested,
      envelope: param.envelope,
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
    query: { ...wideFeedQuery, product: param.product },
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
      since: requiredText({ max: 64 }).meta({
        description: 'Only releases from this time on: ISO 8601, a date, or a span back from now such as `7d`.',
        example: '2026-03-01T00:00:00.000Z',
      }),
      limit: limitLike({ default: 500, max: 2000 }),
      include_coverage: param.include_coverage,
      include_prereleases: param.include_prereleases,
    },
    answers: { 200: z.array(releaseItem) },
    errors: ['bad_request', 'not_found'],
    cache: [60, 30],
    dependsOn: 'resolved',
    run: (ctx, { params, query: { since, limit, ...flags } }) =>
      recentOrgReleases(ctx, { org: params.org ?? '', since, limit, filter: feedFilter(ctx, flags) }),
  }),
];
