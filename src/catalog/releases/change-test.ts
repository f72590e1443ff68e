// Whether an incoming draft changes a stored release, and to what. A source that says less than before loses nothing.

import type { ReleaseType } from '../../contract/enums.ts';
import type { MediaItem } from '../../contract/release.ts';
import { normalBody } from '../../domain/identity.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow, SourceRow } from '../../store/schema.ts';
import { typeOf, type VersionFields, type VersionPatterns, versionFields } from './build-row.ts';
import type { ReleaseDraft } from './draft.ts';

interface Change {
  title: string;
  content: string;
  publishedAt: string | null;
  url: string | null;
  guid: string | null;
  media: ReleaseRow['media'];
  type: ReleaseType;
  version: VersionFields;
  changed: string[];
  // A much shorter body is held back until a second fetch says the same.
  heldBack: boolean;
}

interface ChangeRules {
  source: SourceRow;
  patterns: VersionPatterns;
  // Only fetched rows wait for a second sight; what an operator posts counts at once.
  waitForSecondSight: boolean;
  // The source has not changed, only the reading of it.
  isReparse?: boolean;
  hash: string;
  now: string;
}

const LONG_BODY = 500;
const SHRINK = 0.2;
const SECOND_SIGHT_MS = 3_600_000;

export function testChange(stored: ReleaseRow, draft: ReleaseDraft, rules: ChangeRules): Change {
  const pinned = new Set<string>(parseJson(stored.pinned));
  const keep = <T>(field: string, storedValue: T, incoming: T): T => (pinned.has(field) ? storedValue : incoming);
  const heldBack = rules.waitForSecondSight && waits(stored, draft, rules) && !pinned.has('content');
  const content = heldBack
    ? stored.content
    : keep('content', stored.content, rules.isReparse ? draft.content : mergedContent(stored.content, draft.content));
  // Pictures go with the text: where the incoming one is not taken, neither are they.
  const isTaken = pinned.has('content') || normalBody(content) === normalBody(draft.content);
  const media = isTaken && draft.media ? toJson(withCopies(draft.media, stored.media)) : stored.media;
  const version = versionFields(
    {
      version: keep('version', stored.version, draft.version ?? stored.version),
      prerelease: pinned.has('prerelease') ? stored.prerelease === 1 : draft.prerelease,
      prereleaseHint: draft.prereleaseHint,
    },
    rules.patterns,
  );
  const change: Change = {
    title: keep('title', stored.title, draft.title),
    content,
    publishedAt: keep('publishedAt', stored.published_at, draft.publishedAt ?? stored.published_at),
    url: keep('url', stored.url, draft.url ?? stored.url),
    guid: draft.guid ?? stored.guid,
    media: keep('media', stored.media, media),
    type: keep('type', stored.type, typeOf({ ...draft, content }, rules.source)),
    version,
    changed: [],
    heldBack,
  };
  change.changed = changedFields(stored, change);
  return change;
}

function changedFields(stored: ReleaseRow, change: Change): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['title', stored.title, change.title],
    ['content', normalBody(stored.content), normalBody(change.content)],
    ['version', stored.version, change.version.version],
    ['url', stored.url, change.url],
    ['publishedAt', stored.published_at, change.publishedAt],
    ['media', stored.media, change.media],
    ['type', stored.type, change.type],
    ['prerelease', stored.prerelease, change.version.prerelease],
  ];
  return pairs.filter(([, before, after]) => before !== after).map(([field]) => field);
}

// A source knows nothing of the copies that were made of its pictures.
function withCopies(incoming: readonly MediaItem[], stored: ReleaseRow['media']): MediaItem[] {
  const copies = new Map(parseJson(stored).map((item) => [item.url, item]));
  return incoming.map((item) => {
    const { r2Key, r2Url } = copies.get(item.url) ?? {};
    return r2Key === undefined || item.r2Key !== undefined ? item : { ...item, r2Key, r2Url };
  });
}

// An empty body, or one that is only the beginning of what is stored, says nothing new.
function mergedContent(stored: string, incoming: string): string {
  if (incoming.trim() === '') return stored;
  const start = incoming.replace(/(?:…|\.\.\.)\s*$/, '').trimEnd();
  return stored.length > incoming.length && stored.startsWith(start) ? stored : incoming;
}

function waits(stored: ReleaseRow, draft: ReleaseDraft, rules: ChangeRules): boolean {
  const shrinks = stored.content.length >= LONG_BODY && draft.content.length < stored.content.length * SHRINK;
  if (!shrinks || draft.content.trim() === '') return false;
  const seenBefore = stored.pending_hash === rules.hash && stored.pending_since !== null;
  return !(seenBefore && Date.parse(rules.now) - Date.parse(stored.pending_since ?? '') >= SECOND_SIGHT_MS);
}
