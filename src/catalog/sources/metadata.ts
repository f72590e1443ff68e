// Source settings live in typed columns; `metadata` on the wire is a JSON rendering of them plus keys nobody knows.
import { z } from 'zod';
import { APP_PLATFORMS, RELEASE_TYPES, VIDEO_PROVIDERS } from '../../contract/enums.ts';
import { type ApiError, type Issue, validationFailed } from '../../contract/errors.ts';
import { httpUrl } from '../../contract/release-input.ts';
import { compilePattern } from '../../domain/safe-pattern.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { SourceRow } from '../../store/schema.ts';

const MAX_METADATA = 32 * 1024;

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
const COLUMNS = {
  feedUrl: ['feed_url', httpUrl],
  feedType: ['feed_type', z.enum(['rss', 'atom', 'jsonfeed'])],
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
  versionScheme: ['version_scheme', z.enum(['auto', 'numeric', 'calendar'])],
} as const satisfies Record<string, readonly [keyof SourceRow, z.ZodType]>;

// The other known settings, kept together as JSON.
const SETTINGS = {
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

type Column = (typeof COLUMNS)[keyof typeof COLUMNS][0];
type SettingColumns = Pick<SourceRow, Column | 'settings' | 'extra'>;

export type Metadata = Record<string, unknown>;

export function renderMetadata(source: SettingColumns): string {
  return JSON.stringify(metadataOf(source));
}

export function metadataOf(source: SettingColumns): Metadata {
  const result: Metadata = {};
  for (const [key, [column]] of Object.entries(COLUMNS)) {
    const value = source[column];
    if (value !== null) result[key] = key === 'githubUrl' ? `https://github.com/${value}` : value;
  }
  return { ...result, ...JSON.parse(source.settings), ...JSON.parse(source.extra) };
}

// Bodies may send the object or its text.
export function readMetadata(value: string | Metadata): Metadata {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_METADATA) throw refused([{ path: 'metadata', reason: 'at most 32 KiB' }]);
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed)) return parsed as Metadata;
  } catch {
    // Same answer as for a value that is no object.
  }
  throw refused([{ path: 'metadata', reason: 'must be an object or the JSON text of one' }]);
}

export function settingColumns(metadata: Metadata): SettingColumns {
  const issues: Issue[] = [];
  const columns: Record<string, unknown> = {};
  const settings: Metadata = {};
  const extra: Metadata = {};
  for (const [column] of Object.values(COLUMNS)) columns[column] = null;
  for (const [key, value] of Object.entries(metadata)) {
    if (value === null || (key === 'feedType' && value === 'unknown')) continue;
    const typed = Object.hasOwn(COLUMNS, key) ? COLUMNS[key as keyof typeof COLUMNS] : undefined;
    const schema = typed?.[1] ?? (Object.hasOwn(SETTINGS, key) ? SETTINGS[key as keyof typeof SETTINGS] : undefined);
    if (!schema) {
      extra[key] = value;
      continue;
    }
    const checked = (schema as z.ZodType).safeParse(value);
    if (!checked.success) {
      issues.push({ path: `metadata.${key}`, reason: checked.error.issues[0]?.message ?? 'is not valid' });
    } else if (typed) columns[typed[0]] = checked.data;
    else settings[key] = checked.data;
  }
  if (issues.length > 0) throw refused(issues);
  return { ...columns, settings: JSON.stringify(settings), extra: JSON.stringify(extra) } as SettingColumns;
}

function refused(issues: Issue[]): ApiError {
  return validationFailed(issues);
}
