// Fields that several shapes have, each with its type and its words. A shape says what is special about its own:
// `field.name.max(80)`, `field.domain.nullable()`.
import { z } from 'zod';
import { ECOSYSTEMS } from './enums.ts';
import { count } from './pagination.ts';
import { day, sampleId, timestamp } from './scalars.ts';

export const field = {
  active: z.boolean().describe('Whether it is in force now.'),
  aliasDomains: z.array(z.string()).meta({ description: 'Further domains.', example: ['acme.dev.example'] }),
  aliases: z.array(z.string()).meta({
    description: 'Other names that lead here: further domains, or other slugs of a category.',
    example: ['acme.dev.example'],
  }),
  alt: z.string().describe('Alternative text of the image.'),
  announce: z.boolean().describe('true sends events even for releases that would be taken in silently.'),
  archived: z.boolean().meta({ description: 'Whether it is archived.', example: false }),
  autoGenerateContent: z.boolean().describe('Whether overviews may be written by a program.'),
  avatarUrl: z.string().meta({
    description: 'https address of a square image; null where there is none.',
    example: 'https://acme.example/logo.png',
  }),
  avgReleasesPerWeek: z.number().meta({ description: 'Mean number of releases per week.', example: 0.6 }),
  bytes: count.meta({ description: 'Size in bytes.', example: 18_240 }),
  canonical: z.boolean().describe('Whether this is the main one of its kind.'),
  canonicalId: z
    .string()
    .meta({ description: 'Id of the release that stands for the launch.', example: sampleId('rel') }),
  category: z.string().meta({ description: 'Category, or null where none is set.', example: 'devops' }),
  citedText: z.string().describe('The passage of the text.'),
  clientId: z.string().meta({ description: 'Client id of the app.', example: 'fK2mQx8vRt' }),
  clientVersion: z.string().meta({ description: 'Version of the client program.', example: '1.4.0' }),
  collectionSlug: z.string().meta({ description: 'Slug of the collection.', example: 'build-tools' }),
  contact: z.string().meta({ description: 'How the sender can be reached.', example: 'kim@mail.example' }),
  contactEmail: z.string().meta({ description: 'Mail address of the sender.', example: 'kim@mail.example' }),
  content: z.string().meta({
    description: 'Full text in markdown.',
    example: '### Changed\n- Builds take half the time.\n\n### Removed\n- The `--legacy` flag; use `--compat` instead.',
  }),
  contentHash: z.string().meta({
    description: 'SHA-256 of the normalized text, in hex.',
    example: '9f2c4b7e1d0a6c3f8e5b2a9d7c4f1e0b6a3d8c5f2e9b7a4d1c0f6e3b8a5d2c9f',
  }),
  coverageIds: z
    .array(z.string())
    .meta({ description: 'Ids of releases that tell of the same launch.', example: ['rel_3HsW9pNcE5uJ1VtGb6DxM'] }),
  createdAt: timestamp.describe('When it was created.'),
  decidedBy: z
    .string()
    .meta({ description: 'Who made the link: `human:…`, `agent:…` or a rule.', example: 'human:api' }),
  degraded: z.boolean().meta({
    description: 'true: a part of the search was not available, and the answer may lack hits.',
    example: false,
  }),
  deleted: z.literal(true).describe('Always true: it is gone.'),
  deletedAt: timestamp.meta({ description: 'When it was deleted; null: it is not.', example: null }),
  deletedRows: z.int().describe('Number of deleted rows.'),
  deliveryId: z.string().meta({ description: 'Id of the delivery.', example: sampleId('dlv') }),
  description: z.string().meta({
    description: 'Short text in plain language; null where there is none.',
    example: 'Tools for building and shipping software.',
  }),
  disabled: z.boolean().meta({ description: 'Whether the app may no longer be used.', example: false }),
  disabledReason: z.string().meta({ description: 'Why it was disabled; null while it is enabled.', example: null }),
  domain: z.string().meta({ description: 'Domain without scheme; null where there is none.', example: 'acme.example' }),
  dryRun: z.boolean().meta({ description: 'true tells what would happen and writes nothing.', example: false }),
  durationMs: count.meta({ description: 'How long it took, in milliseconds.', example: 412 }),
  earliestVersion: z
    .string()
    .meta({ description: 'Lowest version of the time; null where none has one.', example: 'v1.0.0' }),
  ecosystem: z.enum(ECOSYSTEMS).meta({ description: 'Package ecosystem.', example: 'npm' }),
  embeddedAt: timestamp.describe('When it was indexed for search by meaning; null: not yet.'),
  enabled: z.boolean().describe('Whether it is in use.'),
  endIndex: count.describe('Where the passage ends in the text, exclusive.'),
  error: z.string().meta({ description: 'What went wrong; null when nothing did.', example: null }),
  eventId: z.string().meta({ description: 'Id of the event.', example: sampleId('evt') }),
  excludePrereleases: z.boolean().describe('Whether prereleases are not sent.'),
  expiresAt: timestamp.meta({ description: 'When it stops being valid; null: never.', example: null }),
  featured: z.boolean().describe('Whether it is featured.'),
  feedUrl: z.string().meta({ description: 'Address of the feed.', example: 'https://acme.example/changelog.xml' }),
  fetchPaused: z.boolean().meta({ description: 'Whether no source of the organization is polled.', example: false }),
  fetchedAt: timestamp.describe('When the registry first read it.'),
  generatedAt: timestamp.describe('When the text was written.'),
  github: z.string().meta({ description: 'owner/name of a GitHub repository.', example: 'acme/cli' }),
  githubHandle: z
    .string()
    .meta({ description: 'Name of the organization on GitHub; null where none is known.', example: 'acme' }),
  guid: z.string().meta({
    description: 'Id that the source itself gives the entry; null where it gives none.',
    example: 'https://github.com/acme/cli/releases/tag/v2.0.0',
  }),
  handle: z.string().meta({ description: 'Handle of the account on the platform.', example: 'acme' }),
  host: z.string().meta({ description: 'Host that the webhook delivers to.', example: 'hooks.acme.example' }),
  iconUrl: z.string().describe('Address of the icon; null where there is none.'),
  id: z.string().meta({ description: 'Id; it never changes.', example: sampleId('rel') }),
  importance: z
    .int()
    .meta({ description: 'How much the release matters, 1 (least) to 5; null: not judged.', example: 4 }),
  index: z.int().describe('Position of the item in the request, from 0.'),
  inputTokens: count.meta({ description: 'Tokens sent to the model.', example: 1800 }),
  insertedIds: z.array(z.string()).meta({ description: 'Ids of new releases.', example: [sampleId('rel')] }),
  isFeatured: z.boolean().describe('Whether the collection is featured.'),
  isHidden: z.boolean().meta({ description: 'Whether it is left out of public lists.', example: false }),
  isPrimary: z.boolean().describe('Whether this is the main source of its product or organization.'),
  lastActivity: timestamp.describe('When the newest release was published; null: there is none.'),
  lastContentHash: z.string().meta({
    description: 'Content hash of the last poll; null: none is stored.',
    example: '9f2c4b7e1d0a6c3f8e5b2a9d7c4f1e0b6a3d8c5f2e9b7a4d1c0f6e3b8a5d2c9f',
  }),
  lastContributingReleaseAt: timestamp.describe('When the newest release that the text speaks of was published.'),
  lastError: z.string().meta({ description: 'Message of the last failure; null: there was none.', example: null }),
  lastFetchedAt: timestamp.describe('When it was last read with success; null: never.'),
  lastPolledAt: timestamp.describe('When it was last checked for changes; null: never.'),
  lastSuccessAt: timestamp.describe('When it last succeeded; null: never.'),
  lastUsedAt: timestamp.describe('When it was last used; null: never.'),
  latestVersion: z.string().meta({ description: 'Highest or newest version; null: there is none.', example: 'v2.0.0' }),
  limit: z.int().meta({ description: 'Largest number of rows of a page.', example: 20 }),
  locationCount: count.describe('Number of known locations.'),
  lookupId: z
    .string()
    .meta({ description: 'Public part of the credential, for finding it in logs.', example: 'Zk1WqPd4' }),
  memberCount: count.meta({ description: 'Number of members.', example: 4 }),
  message: z
    .string()
    .meta({ description: 'Text for people; it may change.', example: 'The dates of Acme CLI are off by one day.' }),
  migrationNotes: z.string().meta({
    description: 'What users must do when they upgrade; null where the text does not say.',
    example: 'Replace `--legacy` by `--compat`.',
  }),
  model: z.string().meta({ description: 'Name of the model.', example: 'small-1' }),
  month: z.int().meta({ description: 'Month of the year, 1 to 12.', example: 3 }),
  name: z.string().meta({ description: 'Name for people.', example: 'Acme' }),
  note: z.string().meta({ description: 'What the sender says about it.', example: 'Its changelog is public.' }),
  notes: z.string().meta({
    description: 'Notes of operators; null: there are none.',
    example: 'Read the GitHub releases; the blog repeats them.',
  }),
  offset: count.meta({ description: 'Position of the first character or row, from 0.', example: 0 }),
  ok: z.literal(true).describe('Always true.'),
  operation: z.string().meta({ description: 'What the model was used for.', example: 'summary' }),
  orgAvatarUrl: z.string().meta({
    description: 'Image of the organization; null where there is none.',
    example: 'https://acme.example/logo.png',
  }),
  orgCount: count.meta({ description: 'Number of organizations.', example: 3 }),
  orgId: z
    .string()
    .meta({ description: 'org_ id of the organization; null where there is none.', example: sampleId('org') }),
  orgName: z.string().meta({ description: 'Name of the organization; null where there is none.', example: 'Acme' }),
  orgSlug: z.string().meta({ description: 'Slug of the organization; null where there is none.', example: 'acme' }),
  orgString: z.string().describe('The organization, by slug or id.'),
  os: z.string().meta({ description: 'Operating system of the sender.', example: 'linux' }),
  outputTokens: count.meta({ description: 'Tokens that the model answered.', example: 240 }),
  overviewCadenceDays: z.int().meta({ description: 'Days between overviews; null: the default.', example: 7 }),
  package: z.string().meta({ description: 'The package as it was asked for.', example: '@acme/cli' }),
  packageName: z.string().meta({ description: 'Name of the package.', example: '@acme/cli' }),
  packagePart: z
    .string()
    .meta({ description: 'Name of the package within a repository of several; null: the only one.', example: null }),
  path: z.string().meta({ description: 'Path of the file in the repository.', example: 'CHANGELOG.md' }),
  pattern: z.string().meta({ description: 'Blocked address or domain.', example: 'https://acme.example/jobs' }),
  platform: z.string().meta({ description: 'Name of the platform.', example: 'github' }),
  position: z.int().meta({ description: 'Place in the order, from 0.', example: 0 }),
  prerelease: z.boolean().meta({ description: 'Whether it is a prerelease.', example: false }),
  previousKeyExpiresAt: timestamp.meta({
    description: 'Until when the previous key signs too; null: it does not.',
    example: null,
  }),
  principalId: z.string().describe('Who the token was made for; null: nobody in particular.'),
  productCount: count.describe('Number of products.'),
  productId: z
    .string()
    .meta({ description: 'prod_ id of the product; null where there is none.', example: sampleId('prod') }),
  productName: z.string().meta({ description: 'Name of the product; null where there is none.', example: 'Acme CLI' }),
  productSlug: z.string().meta({ description: 'Slug of the product; null where there is none.', example: 'acme-cli' }),
  productString: z.string().describe('The product, by slug or id.'),
  publishedAt: timestamp.describe('When it was published; null where the source does not say.'),
  query: z.string().meta({ description: 'The query as it was understood.', example: 'faster builds' }),
  rank: z.int().meta({ description: 'Place in the list, from 1.', example: 1 }),
  reason: z.string().meta({ description: 'Why; null where no reason was given.', example: null }),
  recentCount: count.describe('Releases of the last 30 days.'),
  redirectUris: z.array(z.string()).meta({
    description: 'Addresses that sign-in may lead back to.',
    example: ['https://dashboard.acme.example/callback'],
  }),
  releaseCount: count.meta({ description: 'Number of releases; null where they are not counted.', example: 48 }),
  releaseId: z
    .string()
    .meta({ description: 'rel_ id of the release; null where there is none.', example: sampleId('rel') }),
  releaseNumber: count.describe('Number of releases.'),
  releasesFound: count.describe('Releases that the source listed.'),
  releasesInserted: count.describe('Releases that were new.'),
  releasesUpdated: count.describe('Releases that changed.'),
  returned: count.describe('Rows in this answer.'),
  scopes: z.array(z.string()).meta({ description: 'What the holder may do.', example: ['read'] }),
  score: z.number().meta({ description: 'Strength of the match; comparable within one answer only.', example: 0.82 }),
  secretVersion: count.describe('Number of the signing key, raised by each rotation.'),
  security: z.boolean().meta({
    description: 'Whether the notes tell of a repaired security problem: an entry of that kind, a CVE or a GHSA id.',
    example: false,
  }),
  silent: z.boolean().describe('true sends no events.'),
  slug: z.string().meta({ description: 'Name in addresses: lower-case letters, digits and dashes.', example: 'acme' }),
  snippet: z
    .string()
    .meta({ description: 'The part of the text that matches best.', example: 'Builds take half the time.' }),
  sourceCount: count.meta({ description: 'Number of sources.', example: 2 }),
  sourceId: z
    .string()
    .meta({ description: 'src_ id of the source; null where there is none.', example: sampleId('src') }),
  sourceName: z.string().meta({ description: 'Name of the source; null where there is none.', example: 'Acme CLI' }),
  sourceSlug: z.string().meta({ description: 'Slug of the source; null where there is none.', example: 'acme-cli' }),
  startIndex: count.describe('Where the passage begins in the text.'),
  summary: z.string().meta({
    description: 'The essence in a few sentences.',
    example: 'Builds take half the time. The `--legacy` flag was removed; use `--compat` instead.',
  }),
  suppressed: z.boolean().meta({ description: 'Whether it is taken out of every public view.', example: false }),
  surface: z.string().meta({ description: 'Part of the client that the message is about.', example: 'cli' }),
  tags: z.array(z.string()).meta({ description: 'Names of tags.', example: ['open-source'] }),
  targetId: z.string().meta({ description: 'Id of the entity.', example: sampleId('org') }),
  title: z.string().meta({ description: 'Title as the source gives it.', example: 'Acme CLI 2.0' }),
  titleGenerated: z.string().meta({
    description: 'A clearer title; null where none was made.',
    example: 'Acme CLI 2.0 drops the legacy flag and builds faster',
  }),
  titleShort: z
    .string()
    .meta({ description: 'A title of a few words; null where none was made.', example: 'Acme CLI 2.0' }),
  totalAvailable: count.describe('Releases in the window.'),
  totalReleases: count.describe('Releases of the source.'),
  trackingSince: timestamp.describe('Date of its oldest release; without one, when it was added.'),
  truncated: z.boolean().meta({ description: 'Whether something was left out.', example: false }),
  trusted: z.boolean().describe('Whether users skip the consent page.'),
  type: z.string().describe('What sort of thing it is.'),
  updated: z.int().describe('Number of rows that changed.'),
  updatedAt: timestamp.describe('When it last changed.'),
  url: z
    .string()
    .meta({ description: 'Address; null where there is none.', example: 'https://acme.example/changelog' }),
  userId: z.string().meta({ description: 'Id of the account; null where there is none.', example: 'u8Zk1WqPd4' }),
  version: z
    .string()
    .meta({ description: 'Version as the source spells it; null where there is none.', example: 'v2.0.0' }),
  warning: z.string().describe('Something that the caller should look at.'),
  webUrl: z.string().meta({
    description: 'Page of the entry on this registry.',
    example: `http://localhost:8080/release/${sampleId('rel')}`,
  }),
  weekStart: day.meta({ description: 'Monday of the week, in UTC.', example: '2026-03-02' }),
  windowDays: z.int().meta({ description: 'Length of the window in days; null for a month.', example: 30 }),
  year: z.int().meta({ description: 'Calendar year.', example: 2026 }),
};

// The examples describe one fictional organization, so that those of different calls fit together.
export const idOf = (prefix: string) => field.id.meta({ example: sampleId(prefix) });

export const orgNamed = { id: idOf('org'), slug: field.slug, name: field.name };
const named = { slug: field.slug.meta({ example: 'acme-cli' }), name: field.name.meta({ example: 'Acme CLI' }) };
export const productNamed = { id: idOf('prod'), ...named };
export const sourceNamed = { id: idOf('src'), ...named };
export const sourceUrl = field.url.meta({ example: 'https://github.com/acme/cli' });
export const imageUrl = field.url.meta({ example: 'https://acme.example/images/build-times.png' });
