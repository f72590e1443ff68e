import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { embedStatus } from '../../contract/embed-status.ts';
import { CATEGORIES } from '../../contract/enums.ts';
import { badRequest } from '../../contract/errors.ts';
import { param } from '../../contract/parameters.ts';
import { flag, limitLike, oneOf, text, typedText } from '../../contract/query.ts';
import { releaseSearchAnswer, SEARCH_MODES, searchAnswer } from '../../contract/search.ts';
import { pick } from '../../domain/records.ts';
import { parseWindow } from '../../domain/time-window.ts';
import { findCategory } from '../../entities/taxonomy/category.ts';
import { searchMarkdown } from '../../search/markdown.ts';
import { type SearchInput, searchRegistry } from '../../search/search.ts';
import { readEmbedStatus } from '../../search/vectors/embed-status.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const searchQuery = {
  q: typedText({ max: 500 }).meta({ description: 'Text to look for.', example: 'faster builds' }),
  limit: limitLike({ default: 20, max: 100 }),
  offset: limitLike({ default: 0, min: 0, max: 1000 }).describe('How many rows to skip.'),
  mode: oneOf(SEARCH_MODES).describe('lexical searches words, semantic meaning, hybrid both.'),
  org: text({ max: 300 }).describe('Only entries of this organization: slug, org_ id or domain.'),
  product: text({ max: 300 }).describe('Only entries of this product: slug or prod_ id.'),
  source: text({ max: 300 }).describe('Only entries of this source: slug, org/slug or src_ id.'),
  domain: text({ max: 300 }).describe('A domain, or the URL of a page on it.'),
  collection: text({ max: 300 }).describe('Only hits of members of this collection, by slug or id.'),
  category: text({ max: 120 }).describe('Slug of a category, or one of its aliases.'),
  ...pick(param, 'kind', 'source_type', 'exclude', 'type', 'breaking', 'minImportance', 'include_coverage'),
  ...pick(param, 'include_prereleases', 'include_content'),
  include_empty: flag().describe('true also finds organizations and sources without a release.'),
  since: param.since,
  until: param.until,
};

type SearchParameters = z.output<z.ZodObject<typeof searchQuery>>;

async function inputOf(ctx: Context, query: SearchParameters): Promise<SearchInput> {
  const window = parseWindow({ since: query.since, until: query.until }, ctx.clock());
  if (!window.ok) throw badRequest(window.parameter, window.reason);
  const category = query.category && (await findCategory(ctx, query.category));
  if (category === null) throw badRequest('category', `must be one of ${CATEGORIES.join(', ')} or an alias`);
  return {
    q: query.q,
    mode: query.mode ?? 'hybrid',
    limit: query.limit,
    offset: query.offset,
    includeContent: query.include_content ?? false,
    filters: {
      org: query.org,
      product: query.product,
      source: query.source,
      domain: query.domain,
      collection: query.collection,
      category: category || undefined,
      kind: query.kind,
      sourceTypes: query.source_type,
      excludedSourceTypes: query.exclude,
      type: query.type,
      breaking: query.breaking,
      minImportance: query.minImportance,
      includeCoverage: query.include_coverage,
      includePrereleases: query.include_prereleases,
      includeEmpty: query.include_empty,
      since: window.since,
      until: window.until,
    },
  };
}

export const searchRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/search',
    summary: 'Orgs, products, sources, collections, releases and parts of changelog files by words and by meaning',
    description:
      'One search over everything, in sections, best first. Hybrid by default; `_meta.search` says how the answer was made and `degraded` when a part was missing.',
    tag: 'Search',
    access: 'public',
    query: searchQuery,
    answers: { 200: searchAnswer },
    errors: ['bad_request', 'service_unavailable'],
    cache: [30, 30],
    markdown: searchMarkdown,
    run: async (ctx, { query }) => searchRegistry(ctx, await inputOf(ctx, query)),
  }),
  route({
    method: 'GET',
    path: '/search/releases',
    summary: 'Releases by words and by meaning',
    description: 'The releases section of the search alone, with the same filters and ranking.',
    tag: 'Search',
    access: 'public',
    query: searchQuery,
    answers: { 200: releaseSearchAnswer },
    errors: ['bad_request', 'service_unavailable'],
    cache: [30, 30],
    run: async (ctx, { query }) => searchReleasesOnly(ctx, await inputOf(ctx, query)),
  }),
];

async function searchReleasesOnly(ctx: Context, input: SearchInput) {
  const answer = await searchRegistry(ctx, { ...input, releasesOnly: true });
  const { query, releases, mode, degraded, degradedReason, _meta } = answer;
  return { query, releases, mode, degraded, degradedReason, _meta };
}

export const embedStatusRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/admin/embed/status',
    summary: 'How much of the registry can be found by its meaning',
    description:
      'Counts of releases, parts of changelog files and entities with and without a vector. `pending` falls to 0 when the worker is done.',
    tag: 'Administration',
    access: 'admin',
    query: {},
    answers: { 200: embedStatus },
    errors: [],
    run: (ctx) => readEmbedStatus(ctx),
  }),
];
