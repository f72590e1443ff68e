import { limitLike, oneOf, requiredText, text } from '../../contract/query.ts';
import { RELATED_SCOPES, relatedReleases, relatedSources } from '../../contract/related.ts';
import { sampleId } from '../../contract/scalars.ts';
import { relatedReleases as findReleases } from '../../search/related/releases.ts';
import { relatedSources as findSources } from '../../search/related/sources.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const tag = 'Search';

const common = {
  scope: oneOf(RELATED_SCOPES).describe('org compares within the same organization, global across all.'),
  limit: limitLike({ default: 5, max: 20 }),
  excludeOrgSlug: text().describe('Leaves out this organization, by slug or id.'),
  excludeOrg: text().describe('Another name of `excludeOrgSlug`.'),
};

export const relatedRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/related/releases',
    summary: 'Releases that tell of something similar',
    description: 'Neighbors of a release by meaning, nearest first. `degraded` says when the index was not available.',
    tag,
    access: 'public',
    query: {
      release: requiredText().meta({
        description: 'rel_ id of the release to compare with.',
        example: sampleId('rel'),
      }),
      ...common,
    },
    answers: { 200: relatedReleases },
    errors: ['bad_request', 'not_found'],
    cache: [300, 60],
    // The search has its own cache by anchor, which ignores other commits and stores no degraded result.
    cacheBytes: false,
    run: (ctx, { query: { release, scope = 'global', limit, excludeOrgSlug, excludeOrg } }) =>
      findReleases(ctx, { release, scope, limit, excludeOrg: excludeOrgSlug ?? excludeOrg }),
  }),
  route({
    method: 'GET',
    path: '/related/sources',
    summary: 'Sources that publish similar things',
    description: 'Neighbors of a source by meaning, nearest first. `degraded` says when the index was not available.',
    tag,
    access: 'public',
    query: {
      source: requiredText().meta({
        description: 'Only entries of this source: slug, org/slug or src_ id.',
        example: 'acme/acme-cli',
      }),
      ...common,
    },
    answers: { 200: relatedSources },
    errors: ['bad_request', 'not_found', 'ambiguous_slug'],
    cache: [300, 60],
    cacheBytes: false,
    run: (ctx, { query: { source, scope = 'global', limit, excludeOrgSlug, excludeOrg } }) =>
      findSources(ctx, { source, scope, limit, excludeOrg: excludeOrgSlug ?? excludeOrg }),
  }),
];
