// Turns two requested bounds into the range of releases between them, or into the reason why it is empty.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Bound, keyRange, readBound } from '../../domain/upgrade/bounds.ts';
import { liesBelow, readAskedRange, type VersionRange } from '../../domain/upgrade/version-range.ts';
import { compareVersionKeys, isPrerelease } from '../../domain/versions/index.ts';
import { isStoredVersion, packageRows, type ReleaseWindow } from './spans.ts';
import type { PackageOfSource } from './versions.ts';

interface RangeRequest {
  from: string;
  to: string;
}

export interface UpgradeRange {
  from: string;
  // Null for `latest` of a package without versions.
  to: string | null;
  window: ReleaseWindow | null;
  // Why the range is empty, when the bounds alone show it.
  reason: 'same_version' | 'up_to_date' | null;
  // Whether the text of the upper bound is a pre-release; a stored release of that version decides instead.
  endsInPrerelease: boolean;
  // Order keys of the bounds; null in a range of time.
  keys: { from: string; to: string } | null;
  // How the upper bound was given: as a version, as `latest`, or as a version range.
  upperBy: UpperBound['by'];
}

// The upper bound as a text that is read like a version.
export type UpperBound =
  | { by: 'version'; text: string }
  | { by: 'latest'; text: string | null }
  | { by: 'range'; text: string; range: VersionRange };

export function isLatest(to: string): boolean {
  return to.toLowerCase() === 'latest';
}

// Throws an error when the bounds are invalid.
export async function openRange(
  ctx: Context,
  { requested, of, upper }: { requested: RangeRequest; of: PackageOfSource; upper: UpperBound },
): Promise<UpgradeRange> {
  const fromText = readAskedRange(requested.from)?.range?.lowest ?? requested.from;
  const from = lowerBound(requested.from, fromText);
  const open = { from: from.version, window: null, reason: null, endsInPrerelease: false, upperBy: upper.by };
  if (upper.text === null) return { ...open, to: null, keys: null };
  const to = upper.by === 'version' && readAskedRange(upper.text) ? unordered(upper.text) : readBound(upper.text);
  if (!isKeyed(from) || !isKeyed(to))
    return openTimes(ctx, { requested, of, upper: { ...upper, text: upper.text }, from, to });
  const range = {
    ...open,
    to: to.version,
    keys: { from: from.key, to: to.key },
    endsInPrerelease: isPrerelease(upper.text),
  };
  const order = compareVersionKeys(from.key, to.key);
  if (order < 0) return { ...range, window: { by: 'version', ...keyRange(from, to, of.source.scheme) } };
  if (order > 0 && upper.by === 'range' && !liesBelow(upper.range, from.key)) {
    // The range admits versions above `from`, but none of them is stored.
    return { ...range, keys: { from: from.key, to: from.key } };
  }
  return { ...range, reason: whyEmpty(requested, order === 0) };
}

// A range that cannot be parsed is an error and never read as a version.
function lowerBound(requested: string, text: string): Bound {
  return text === requested && readAskedRange(requested) ? unordered(requested) : readBound(text);
}

function unordered(text: string): Bound {
  return { version: text, key: null, packagePart: null, epoch: 0 };
}

function whyEmpty({ from, to }: RangeRequest, isSame: boolean): 'same_version' | 'up_to_date' {
  if (isLatest(to)) return 'up_to_date';
  if (isSame) return 'same_version';
  throw refused('from', 'from_after_to', `from: ${from} comes after ${to}`);
}

function isKeyed(bound: Bound): bound is Bound & { key: string } {
  return bound.key !== null;
}

interface TimesRequest {
  requested: RangeRequest;
  of: PackageOfSource;
  upper: UpperBound & { text: string };
  from: Bound;
  to: Bound;
}

// The range between versions without an order key, by the dates of their releases.
async function openTimes(ctx: Context, { requested, of, upper, from, to }: TimesRequest): Promise<UpgradeRange> {
  const start = known('from', requested.from, await storedVersion(ctx, of, { text: requested.from, key: from.key }));
  const end = known('to', requested.to, await storedVersion(ctx, of, { text: upper.text, key: to.key }));
  const range = {
    from: from.version,
    to: to.version,
    endsInPrerelease: end.prerelease,
    keys: null,
    upperBy: upper.by,
  };
  const isSame = start.version === end.version;
  if (isSame || start.feedAt > end.feedAt) return { ...range, window: null, reason: whyEmpty(requested, isSame) };
  return { ...range, window: { by: 'time', after: start.feedAt, upTo: end.feedAt }, reason: null };
}

function known(parameter: 'from' | 'to', text: string, stored: StoredVersion | null): StoredVersion {
  const problem = stored ? 'is stored without a date' : 'is neither a readable version nor a stored one';
  if (stored && stored.feedAt !== '') return stored;
  throw refused(parameter, 'unknown_version', `${parameter}: "${text}" ${problem}`);
}

function refused(parameter: string, reason: string, message: string): ApiError {
  return new ApiError('bad_request', message, { parameter, reason });
}

interface StoredVersion {
  version: string;
  // Empty for a release without a date.
  feedAt: string;
  prerelease: boolean;
}

// The release with this version text, or else with the same order key.
async function storedVersion(
  ctx: Context,
  { source, part }: PackageOfSource,
  { text, key }: { text: string; key: string | null },
): Promise<StoredVersion | null> {
  const rows = packageRows(ctx, { sourceId: source.id, part })
    .where(isStoredVersion(source))
    .where('r.version_sort', key === null ? 'is' : '=', key);
  const row = await (key === null ? rows.where('r.version', '=', text) : rows)
    .select(['r.version', 'r.published_at', 'r.prerelease'])
    .orderBy('r.feed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { version: row.version ?? text, feedAt: row.published_at ?? '', prerelease: row.prerelease === 1 }
    : null;
}
