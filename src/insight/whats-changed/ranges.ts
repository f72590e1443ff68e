// From two version texts to the stretch of releases between them, or to why there is none.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Bound, keyRange, readBound } from '../../domain/upgrade/bounds.ts';
import { compareVersionKeys, isPrerelease } from '../../domain/versions/index.ts';
import type { Stretch } from './spans.ts';
import { type PackageOfSource, type StoredVersion, storedVersion } from './versions.ts';

export interface RangeAsked {
  from: string;
  to: string;
}

export interface Range {
  from: string;
  // Null: `latest` of a package without versions.
  to: string | null;
  stretch: Stretch | null;
  // Why nothing lies between the bounds, where they alone tell it.
  reason: 'same_version' | 'up_to_date' | null;
  // What the upper bound is, by itself; a stored release of that version knows better.
  endsInPrerelease: boolean;
  // Some key of the asked scheme; null in a range of time.
  key: string | null;
}

export function isLatest(to: string): boolean {
  return to.toLowerCase() === 'latest';
}

/** Throws what is wrong with the bounds. */
export async function openRange(
  ctx: Context,
  asked: RangeAsked,
  of: PackageOfSource,
  latest: string | null,
): Promise<Range> {
  const from = readBound(asked.from);
  const toText = isLatest(asked.to) ? latest : asked.to;
  const nothing = { from: from.version, stretch: null, reason: null, endsInPrerelease: false, key: from.key };
  if (toText === null) return { ...nothing, to: null };
  const to = readBound(toText);
  if (!isKeyed(from) || !isKeyed(to)) return openTimes(ctx, asked, of, from, to, toText);
  const range = { ...nothing, to: to.version, key: to.key, endsInPrerelease: isPrerelease(toText) };
  const order = compareVersionKeys(from.key, to.key);
  if (order < 0) return { ...range, stretch: { by: 'version', ...keyRange(from, to, of.place.scheme) } };
  return { ...range, reason: whyEmpty(asked, order === 0) };
}

function whyEmpty({ from, to }: RangeAsked, isSame: boolean): 'same_version' | 'up_to_date' {
  if (isLatest(to)) return 'up_to_date';
  if (isSame) return 'same_version';
  throw refused('from', 'from_after_to', `from: ${from} comes after ${to}`);
}

function isKeyed(bound: Bound): bound is Bound & { key: string } {
  return bound.key !== null;
}

// A name says nothing about order, but its release has a date.
async function openTimes(
  ctx: Context,
  asked: RangeAsked,
  of: PackageOfSource,
  from: Bound,
  to: Bound,
  toText: string,
): Promise<Range> {
  const start = known('from', asked.from, await storedVersion(ctx, of, { text: asked.from, key: from.key }));
  const end = known('to', asked.to, await storedVersion(ctx, of, { text: toText, key: to.key }));
  const range = { from: from.version, to: to.version, endsInPrerelease: end.prerelease, key: null };
  const isSame = start.version === end.version;
  if (isSame || start.feedAt > end.feedAt) return { ...range, stretch: null, reason: whyEmpty(asked, isSame) };
  return { ...range, stretch: { by: 'time', after: start.feedAt, upTo: end.feedAt }, reason: null };
}

function known(parameter: 'from' | 'to', text: string, stored: StoredVersion | null): StoredVersion {
  const what = stored ? 'is stored without a date' : 'is neither a readable version nor a stored one';
  if (stored && stored.feedAt !== '') return stored;
  throw refused(parameter, 'unknown_version', `${parameter}: ${text} ${what}`);
}

function refused(parameter: string, reason: string, message: string): ApiError {
  return new ApiError('bad_request', message, { parameter, reason });
}
