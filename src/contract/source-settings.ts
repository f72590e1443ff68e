// The settings of a source: the fields of `metadata`, and which of them have columns of their own.
import { z } from 'zod';
import { compilePattern } from '../domain/safe-pattern.ts';
import { githubCoordinate } from '../domain/urls.ts';
import { APP_PLATFORMS, FEED_TYPES, RELEASE_TYPES, VERSION_SCHEMES, VIDEO_PROVIDERS } from './enums.ts';
import { httpUrl } from './release-input.ts';

const coordinate = z.string().transform((value, context) => {
  const found = githubCoordinate(value);
  if (found) return found;
  context.addIssue({ code: 'custom', message: 'must be owner/repository or its GitHub address' });
  return z.NEVER;
});

const pattern = z.string().superRefine((value, context) => {
  const check = compilePattern(value);
  if (!check.ok) context.addIssue({ code: 'custom', message: check.reason });
});

const patterns = z.array(pattern).max(50);
const words = z.array(z.string().min(1).max(200)).max(50);

// Settings with a column of their own, because they are looked up by value.
export const SETTINGS_WITH_COLUMN = {
  feedUrl: ['feed_url', httpUrl],
  feedType: ['feed_type', z.enum(FEED_TYPES)],
  githubUrl: ['github_coordinate', coordinate],
  githubId: ['github_id', z.int().min(0)],
  appId: ['app_id', z.string().regex(/^\d{1,20}$/, 'must be digits')],
  appPlatform: ['app_platform', z.enum(APP_PLATFORMS)],
  appStorefront: ['app_storefront', z.string().regex(/^[a-z]{2}$/, 'must be a two-letter country code')],
  appIconUrl: ['app_icon_url', httpUrl],
  videoProvider: ['video_provider', z.enum(VIDEO_PROVIDERS)],
  videoFeed: ['video_feed', httpUrl],
  changelogUrl: ['changelog_url', httpUrl],
  parser: ['parser', z.string().min(1).max(60)],
  releaseType: ['release_type', z.enum(RELEASE_TYPES)],
  versionScheme: ['version_scheme', z.enum(VERSION_SCHEMES)],
} as const satisfies Record<string, readonly [column: string, z.ZodType]>;

// The other known settings, stored together as JSON.
export const SETTINGS = {
  categoryAllow: words,
  itemAllow: patterns,
  itemDeny: patterns,
  tagAllow: patterns,
  tagDeny: patterns,
  ignoreVersions: patterns,
  prereleaseVersions: patterns,
  changelogPaths: words,
  allowedHosts: words,
  includeShorts: z.boolean(),
  markdownUrl: httpUrl,
} as const satisfies Record<string, z.ZodType>;

export type SourceSettings = { [Name in keyof typeof SETTINGS]?: z.output<(typeof SETTINGS)[Name]> };
