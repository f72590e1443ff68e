// Parameters of queries that several calls take, each with its type and its words.
import { BREAKING, ECOSYSTEMS, KINDS, RELEASE_TYPES, SOURCE_TYPES } from './enums.ts';
import { flag, freeList, integerIn, listOf, oneOf, requiredText, text } from './query.ts';

export const param = {
  after: text({ max: 64 }).describe('Only rows after this time (ISO 8601 or a date).'),
  announce: flag().describe(
    'true sends events to webhooks and the live stream even for releases that would be taken in silently.',
  ),
  before: text({ max: 64 }).describe('Only rows before this time (ISO 8601 or a date).'),
  breaking: listOf(BREAKING).describe('Only releases with one of these verdicts; a comma list or repeated.'),
  cursor: text({ max: 100_000 }).describe(
    'Opaque position from `nextCursor` of the page before; absent on the first page.',
  ),
  dryRun: flag().describe('true tells what would happen and writes nothing.'),
  ecosystem: oneOf(ECOSYSTEMS).describe('Package ecosystem; needed where the same name exists in several.'),
  enabled: flag().describe('true: only enabled webhooks; false: only disabled ones.'),
  envelope: flag().describe('false answers the bare list without paging fields.'),
  event_id: text({ max: 80 }).describe('Only attempts for this event.'),
  exclude: listOf(SOURCE_TYPES).describe('Source types to leave out; a comma list or repeated.'),
  failed: flag().describe('true: only attempts that failed.'),
  featured: flag().describe('true: only featured entries; false: only others.'),
  hard: flag().describe(
    'true deletes for good, by id and with the scope `admin`; otherwise it can be undone for 30 days.',
  ),
  include_content: flag().describe('false leaves out the full text, which makes the answer much smaller.'),
  include_coverage: flag().describe('true also lists releases that only repeat another one of the same launch.'),
  include_hidden: flag().describe('true also lists hidden entries; needs the write scope.'),
  include_prereleases: flag().describe('true also lists prereleases.'),
  kind: oneOf(KINDS).describe('Only entries of this kind.'),
  minImportance: integerIn(1, 5).describe('Only releases of at least this importance, 1 to 5.'),
  org: text().describe('Only entries of this organization: slug, org_ id or domain.'),
  orgId: text().describe('Only entries of this organization, by org_ id.'),
  orgSlug: text().describe('Only entries of this organization, by slug.'),
  orgs: freeList().describe('Only releases of these organizations, by slug or id; a comma list.'),
  product: text().describe('Only entries of this product: slug or prod_ id.'),
  q: text({ max: 200 }).describe('Text to look for.'),
  query: text({ max: 200 }).describe('Another name of `q`.'),
  security: flag().describe('true: releases that repair a security problem.'),
  silent: flag().describe('true sends no events for what this call takes in.'),
  since: text({ max: 64 }).describe(
    'Only releases from this time on: ISO 8601, a date, or a span back from now such as `7d`.',
  ),
  slug: requiredText().meta({ description: 'Slug to look up.', example: 'acme-cli' }),
  source: text().describe('Only entries of this source: slug, org/slug or src_ id.'),
  source_type: listOf(SOURCE_TYPES).describe('Only releases of sources of these types; a comma list or repeated.'),
  type: oneOf(RELEASE_TYPES).describe('Only releases of this type.'),
  until: text({ max: 64 }).describe(
    'Only releases up to this time: ISO 8601, a date, or a span back from now such as `1d`.',
  ),
  url: text().describe('Address to look up.'),
};
