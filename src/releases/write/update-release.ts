// Decides whether and how an incoming draft changes a stored release. A draft that says less than the stored release
// removes nothing.
import { now, type WriteContext } from '../../context.ts';
import type { ReleaseType } from '../../contract/enums.ts';
import type { MediaItem } from '../../contract/release.ts';
import { contentHash, type ItemKeys, normalBody } from '../../domain/release-identity.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { isRaisedBy } from '../raise.ts';
import { textColumns, unpinned } from '../release-columns.ts';
import type { VersionFields } from '../versions.ts';
import { storePending } from './announce.ts';
import type { Draft } from './draft.ts';
import { reviseRelease } from './revise.ts';
import type { RowBuilder } from './row-builder.ts';

interface UpdateOptions {
  // A shorter body from a fetch waits until a second fetch confirms it; one that an operator posts is applied at once.
  waitForSecondFetch: boolean;
  // Only the parser has changed, not the source: its new result is applied, also where it contains less.
  isReparse: boolean;
  isPublication: boolean;
}

interface ReleaseUpdate {
  stored: ReleaseRow;
  draft: Draft;
  key: ItemKeys;
  sourceInOrg: SourceInOrg;
  rows: RowBuilder;
}

interface UpdateOutcome {
  // Null when nothing has changed.
  next: ReleaseRow | null;
  // A much shorter body waits until a second fetch confirms it.
  heldBack: boolean;
}

export async function updateRelease(
  ctx: WriteContext,
  { stored, draft, key, sourceInOrg, rows }: ReleaseUpdate,
  options: UpdateOptions,
): Promise<UpdateOutcome> {
  const hash = contentHash(draft);
  const incoming = hash === stored.source_hash ? repeated(draft, stored) : draft;
  const { changed, heldBack, version, media, ...change } = await testChange(
    { stored, draft: incoming, rows },
    options,
    {
      hash,
      now: now(ctx),
    },
  );
  if (heldBack) await rememberPending(ctx, stored, hash);
  if (changed.length === 0) return { next: null, heldBack };
  const derived = await rows.derive({ ...draft, ...change, version });
  const { parsed, ...versionColumns } = version;
  const next = await reviseRelease(ctx, sourceInOrg, {
    stored,
    changed,
    cause: options.isReparse ? 'reparse' : 'source',
    changes: {
      ...(await textColumns(ctx, change, version)),
      ...versionColumns,
      ...unpinned(derived, stored),
      type: change.type,
      origin: draft.origin,
      url: change.url,
      guid: change.guid,
      media,
      identity_key: key.key.startsWith('u:') ? key.key : stored.identity_key,
      // A body that waits is not stored, so its hash must not make the second fetch look like a repetition.
      ...statedPin(stored, draft),
      source_hash: heldBack ? stored.source_hash : hash,
      pending_hash: heldBack ? hash : null,
      pending_since: heldBack ? (stored.pending_since ?? now(ctx)) : null,
      embedded_at: null,
    },
  });
  await storePending(ctx, next, false);
  return { next, heldBack };
}

// A draft that repeats the last fetch changes nothing, even when an operator or a job has written other text since.
function repeated(draft: Draft, stored: ReleaseRow): Draft {
  const { title, content, version, published_at: publishedAt } = stored;
  const isFilled = stored.content_hash !== stored.source_hash;
  const media = isFilled && shows(stored, draft.media ?? []) ? undefined : draft.media;
  return { ...draft, title, content, version, publishedAt, media };
}

// A body that was filled in from elsewhere has its own pictures, so fewer pictures in the draft are not a change.
function shows(stored: ReleaseRow, media: readonly MediaItem[]): boolean {
  const known = new Set(parseJson(stored.media).map(({ url }) => url));
  return media.every(({ url }) => known.has(url));
}

async function rememberPending(ctx: WriteContext, stored: ReleaseRow, hash: string): Promise<void> {
  if (stored.pending_hash === hash) return;
  await ctx.tx
    .updateTable('releases')
    .set({ pending_hash: hash, pending_since: now(ctx) })
    .where('id', '=', stored.id)
    .execute();
}

const LONG_BODY = 500;
const SHRINK = 0.2;
const SECOND_SIGHT_MS = 3_600_000;

interface ReleaseChange extends Pick<Draft, 'title' | 'content' | 'publishedAt' | 'url' | 'guid'> {
  media: ReleaseRow['media'];
  type: ReleaseType;
  version: VersionFields;
  changed: string[];
  heldBack: boolean;
}

interface Sighting {
  hash: string;
  now: string;
}

async function testChange(
  { stored, draft, rows }: Pick<ReleaseUpdate, 'stored' | 'draft' | 'rows'>,
  options: UpdateOptions,
  sighting: Sighting,
): Promise<ReleaseChange> {
  const pinned = new Set<string>(parseJson(stored.pinned));
  const unlessPinned = <T>(field: string, storedValue: T, incoming: T): T =>
    pinned.has(field) ? storedValue : incoming;
  const heldBack = options.waitForSecondFetch && waits(stored, draft, sighting) && !pinned.has('content');
  const content = heldBack
    ? stored.content
    : unlessPinned(
        'content',
        stored.content,
        options.isReparse || options.isPublication ? draft.content : mergedContent(stored.content, draft.content),
      );
  // Pictures belong to the text: when the incoming text is not applied, its pictures are not either.
  const isTaken = pinned.has('content') || normalBody(content) === normalBody(draft.content);
  const media = isTaken && draft.media ? toJson(withCopies(draft.media, stored.media)) : stored.media;
  const version = rows.versionOf({
    version: unlessPinned('version', stored.version, draft.version ?? stored.version),
    prerelease: pinned.has('prerelease') ? stored.prerelease === 1 : draft.prerelease,
    prereleaseHint: draft.prereleaseHint,
  });
  const change: ReleaseChange = {
    title: unlessPinned('title', stored.title, draft.title),
    content,
    publishedAt: unlessPinned('publishedAt', stored.published_at, draft.publishedAt ?? stored.published_at),
    url: unlessPinned('url', stored.url, draft.url ?? stored.url),
    guid: draft.guid ?? stored.guid,
    media: unlessPinned('media', stored.media, media),
    type: unlessPinned('type', stored.type, await rows.typeOf({ ...draft, content })),
    version,
    changed: [],
    heldBack,
  };
  change.changed = changedFields(stored, change);
  if (!pinned.has('breaking') && isRaisedBy(draft.given?.breakingAtLeast, stored.breaking))
    change.changed.push('breaking');
  return change;
}

// What the author states stays when the notes are read with newer rules.
function statedPin(stored: ReleaseRow, { given }: Draft): Partial<ReleaseRow> {
  if (!isRaisedBy(given?.breakingAtLeast, stored.breaking)) return {};
  return { pinned: toJson([...new Set([...parseJson(stored.pinned), 'breaking' as const])]) };
}

function changedFields(stored: ReleaseRow, change: ReleaseChange): string[] {
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

// Drafts do not contain the hosted copies of pictures, so they are added from the stored release.
function withCopies(incoming: readonly MediaItem[], stored: ReleaseRow['media']): MediaItem[] {
  const copies = new Map(parseJson(stored).map((item) => [item.url, item]));
  return incoming.map((item) => {
    const { r2Key, r2Url } = copies.get(item.url) ?? {};
    return r2Key === undefined || item.r2Key !== undefined ? item : { ...item, r2Key, r2Url };
  });
}

// An empty body, or one that is only the beginning of the stored one, adds nothing.
function mergedContent(stored: string, incoming: string): string {
  if (incoming.trim() === '') return stored;
  const start = incoming.replace(/(?:…|\.\.\.)\s*$/, '').trimEnd();
  return stored.length > incoming.length && stored.startsWith(start) ? stored : incoming;
}

function waits(stored: ReleaseRow, draft: Draft, sighting: Sighting): boolean {
  const shrinks = stored.content.length >= LONG_BODY && draft.content.length < stored.content.length * SHRINK;
  if (!shrinks || draft.content.trim() === '') return false;
  const seenBefore = stored.pending_hash === sighting.hash && stored.pending_since !== null;
  return !(seenBefore && Date.parse(sighting.now) - Date.parse(stored.pending_since ?? '') >= SECOND_SIGHT_MS);
}
