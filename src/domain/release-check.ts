// What a source may say of a release. A request of an operator with such a value is answered with 400; a source cannot be
// asked again, so the bad value is dropped and the rest of the release is kept.
import { hash } from 'node:crypto';
import { cleanLongText, cutText, withoutDirections } from './clean-text.ts';
import type { Identifiable } from './release-identity.ts';
import { isHttpUrl } from './urls.ts';

interface CheckedMedia {
  url: string;
  alt?: string;
  linkUrl?: string;
}

interface Checkable extends Identifiable {
  media?: CheckedMedia[];
}

interface CheckedReleases<T> {
  releases: T[];
  // How many have neither a title nor a version that can be shown.
  refused: number;
}

const MAX_TITLE = 500;
const MAX_VERSION = 200;
const MAX_GUID = 500;
const MAX_MEDIA = 50;
const DAYS_AHEAD = 2;
const DAY_MS = 86_400_000;
// Software that is tracked here has no older notes, while clocks that are not set begin in 1970.
const FIRST_DATE = '1990-01-01T00:00:00.000Z';
// Characters that are not shown can make two versions look alike.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Surrogate}]/u;

// Every release that is read from outside passes here before the write path: fetched, imported and parsed again.
export function checkReleases<T extends Checkable>(items: readonly T[], now: Date): CheckedReleases<T> {
  const steps = checkSteps(items, now);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// The same, with a step for each release, because their texts may have megabytes together.
export function* checkSteps<T extends Checkable>(items: readonly T[], now: Date): Generator<void, CheckedReleases<T>> {
  const latest = new Date(now.getTime() + DAYS_AHEAD * DAY_MS).toISOString();
  const releases: T[] = [];
  for (const item of items) {
    const checked = checkRelease(item, latest);
    if (checked !== null) releases.push(checked);
    yield;
  }
  return { releases, refused: items.length - releases.length };
}

function checkRelease<T extends Checkable>(item: T, latest: string): T | null {
  const version = checkVersion(item.version);
  const stated = checkName(item.title, MAX_TITLE);
  // A title that only repeats an unusable version says nothing.
  const isRepeated = version === null && item.version !== null && repeats(item.title, item.version);
  const title = isRepeated || stated === '' ? version : stated;
  if (title === null) return null;
  return {
    ...item,
    title,
    version,
    content: cleanLongText(item.content),
    url: item.url !== null && isHttpUrl(item.url) ? item.url : null,
    guid: checkGuid(item.guid),
    publishedAt: checkDate(item.publishedAt, latest),
    ...(item.media === undefined ? {} : { media: checkMedia(item.media) }),
  };
}

function repeats(title: string, version: string): boolean {
  if (version.trim() === '') return false;
  return title.includes(version) || checkName(title, MAX_TITLE) === checkName(version, MAX_TITLE);
}

// One line of a name or title.
export function checkName(text: string, most: number): string {
  return cutText(
    withoutDirections(text.slice(0, 4 * most).toWellFormed())
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    most,
  );
}

function checkVersion(version: string | null): string | null {
  if (version === null || version.length > MAX_VERSION) return null;
  const text = version.trim();
  return text === '' || UNSEEN.test(text) ? null : text;
}

// A guid is compared and never shown, so an odd one is stored as its hash.
function checkGuid(guid: string | null): string | null {
  if (guid === null || guid === '') return null;
  return guid.length <= MAX_GUID && !UNSEEN.test(guid) ? guid : `sha256:${hash('sha256', guid)}`;
}

// A date far ahead would lead every feed, and so it counts as unknown.
function checkDate(date: string | null, latest: string): string | null {
  if (date === null || Number.isNaN(Date.parse(date))) return null;
  const iso = new Date(date).toISOString();
  return iso >= FIRST_DATE && iso <= latest ? iso : null;
}

function checkMedia(media: readonly CheckedMedia[]): CheckedMedia[] {
  return media
    .filter(({ url }) => isHttpUrl(url))
    .slice(0, MAX_MEDIA)
    .map(({ alt, linkUrl, ...item }) => ({
      ...item,
      ...(alt === undefined ? {} : { alt: checkName(alt, MAX_TITLE) }),
      ...(linkUrl !== undefined && isHttpUrl(linkUrl) ? { linkUrl } : {}),
    }));
}
