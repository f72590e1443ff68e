import { z } from 'zod';
import { SOURCE_TYPES } from '../domain/source-types.ts';

export { ECOSYSTEMS, type Ecosystem } from '../domain/ecosystems/index.ts';
export { FETCH_OUTCOMES, type FetchOutcome } from '../domain/fetching/outcome.ts';
export { SOURCE_TYPES, type SourceType } from '../domain/source-types.ts';

export const CATEGORIES = [
  'ai',
  'cloud',
  'commerce',
  'crm',
  'database',
  'design',
  'developer-tools',
  'devops',
  'finance',
  'framework',
  'infrastructure',
  'observability',
  'productivity',
  'security',
] as const;
export const KINDS = ['platform', 'sdk', 'mobile', 'desktop', 'docs', 'integration', 'tool'] as const;
export const ENTITY_TYPES = ['org', 'product', 'source', 'collection'] as const;
export const DISCOVERIES = ['curated', 'agent', 'on_demand'] as const;
export const ORG_STATUSES = ['stub', 'tracked'] as const;
export const FETCH_PRIORITIES = ['normal', 'low', 'paused'] as const;
export const RELEASE_TYPES = ['feature', 'rollup'] as const;
export const BREAKING = ['unknown', 'none', 'minor', 'major'] as const;
export const DERIVED_BY = ['rules', 'model', 'operator'] as const;
export const REVISION_CAUSES = ['source', 'operator', 'reparse', 'withdrawn', 'restored'] as const;
export const SUPPRESSED_BY = ['source', 'operator'] as const;
export const MEDIA_TYPES = ['image', 'video', 'gif'] as const;
export const APP_PLATFORMS = ['ios', 'macos'] as const;
export const VIDEO_PROVIDERS = ['youtube', 'vimeo', 'wistia'] as const;
export const FEED_TYPES = ['rss', 'atom', 'jsonfeed'] as const;
export const VERSION_SCHEMES = ['auto', 'numeric', 'calendar'] as const;
export const LOCATION_BASES = ['curator', 'declared', 'detected', 'generated'] as const;
export const NOTICE_PLACEMENTS = ['home', 'banner'] as const;
export const FETCH_STATUSES = ['success', 'no_change', 'error', 'blocked', 'timeout', 'skipped', 'dry_run'] as const;

export type Category = (typeof CATEGORIES)[number];
export type Kind = (typeof KINDS)[number];
export type Discovery = (typeof DISCOVERIES)[number];
export type FetchPriority = (typeof FETCH_PRIORITIES)[number];
export type ReleaseType = (typeof RELEASE_TYPES)[number];
export type Breaking = (typeof BREAKING)[number];
export type EntityType = (typeof ENTITY_TYPES)[number];
export type OrgStatus = (typeof ORG_STATUSES)[number];
export type DerivedBy = (typeof DERIVED_BY)[number];
export type RevisionCause = (typeof REVISION_CAUSES)[number];
export type SuppressedBy = (typeof SUPPRESSED_BY)[number];
export type AppPlatform = (typeof APP_PLATFORMS)[number];
export type VideoProvider = (typeof VIDEO_PROVIDERS)[number];
export type FeedType = (typeof FEED_TYPES)[number];
export type LocationBasis = (typeof LOCATION_BASES)[number];
export type FetchStatus = (typeof FETCH_STATUSES)[number];

export const categorySlug = z.enum(CATEGORIES).meta({ id: 'Category' });
export const category = categorySlug.meta({ description: 'Category, or null where none is set.', example: 'devops' });
export const kind = z.enum(KINDS).meta({ id: 'Kind' }).meta({ description: 'Kind of product.', example: 'tool' });
export const sourceType = z.enum(SOURCE_TYPES).meta({ id: 'SourceType' }).describe('How the source is read.');
export const discovery = z.enum(DISCOVERIES).meta({ id: 'Discovery' }).describe('How it came to the registry.');
export const orgStatus = z
  .enum(ORG_STATUSES)
  .meta({ id: 'OrgStatus' })
  .meta({ description: 'State that it is in.', example: 'tracked' });
export const fetchPriority = z
  .enum(FETCH_PRIORITIES)
  .meta({ id: 'FetchPriority' })
  .describe('How often the source is polled.');
export const releaseType = z.enum(RELEASE_TYPES).meta({ id: 'ReleaseType' });
export const breaking = z.enum(BREAKING).meta({ id: 'Breaking' }).meta({
  description: 'Whether the release breaks existing use; `unknown` where its text does not say.',
  example: 'major',
});
