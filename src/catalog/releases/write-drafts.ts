// The one write path of releases: operators, fetches, lookups and imports all end here, in one transaction.
import { now, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { MediaItem } from '../../contract/release.ts';
import type { BatchResult } from '../../contract/release-input.ts';
import type { Insertion } from '../../domain/announce.ts';
import { contentHash, type ItemKeys, identityKeys } from '../../domain/identity.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { addToCounter } from '../../store/counters.ts';
import { insertMany } from '../../store/insert-many.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import type { SourceInOrg } from '../resolve.ts';
import { announceInserted } from './announce-inserted.ts';
import { BatchTally } from './batch-tally.ts';
import {
  derivedColumns,
  docKeyOf,
  textColumns,
  type VersionFields,
  versionFields,
  versionPatterns,
} from './build-row.ts';
import { testChange } from './change-test.ts';
import { freeDocKeys } from './doc-keys.ts';
import type { ReleaseDraft } from './draft.ts';
import { refreshFigures, refreshOrgCount } from './figures.ts';
import { indexable } from './full-text.ts';
import { habitsOf } from './habits.ts';
import { itemFilter } from './item-filters.ts';
import { matchStored } from './match-stored.ts';
import { newRow } from './new-row.ts';
import { keepPending } from './pending.ts';
import { StableVersions } from './previous-stable.ts';
import { placeOf } from './relist.ts';
import { reviseRelease } from './revise.ts';
import { unpinned } from './unpinned.ts';

export interface WriteDrafts {
  place: SourceInOrg;
  drafts: readonly ReleaseDraft[];
  insertOnly?: boolean;
  writtenBy: Insertion['writtenBy'];
  announce?: boolean;
  silent?: boolean;
  // The same text read by other rules: what it says now counts, also where it is less.
  isReparse?: boolean;
  firstFetch?: boolean;
  identityLost?: boolean;
}

interface WriteOutcome extends BatchResult {
  // A shorter body waits for a second sight: the validators of this fetch must not be stored.
  heldBack: boolean;
}

export async function writeDrafts(ctx: WriteContext, asked: WriteDrafts): Promise<WriteOutcome> {
  const { drafts } = asked;
  const locked = await lockedPlace(ctx, asked.place);
  const place = { ...locked, habits: await habitsOf(ctx, locked.source.id) };
  const write = { ...asked, place };
  const keys = identityKeys(drafts, ownAddresses(place));
  const filter = await itemFilter(ctx, place, drafts);
  const stored = await matchStored(ctx, place, drafts, keys);
  const batch = new BatchTally();

  const fresh: Fresh[] = [];
  const claimed = new Set<string>();
  for (const [index, draft] of drafts.entries()) {
    const key = keys[index] as ItemKeys;
    const refused = filter(draft);
    if (refused) batch.skip(index, refused);
    else if (claimed.has(key.key)) batch.skip(index, 'repeated_in_batch');
    else {
      claimed.add(key.key);
      const row = stored.find(key);
      if (row && claimed.has(row.id)) batch.skip(index, 'repeated_in_batch');
      else if (row) {
        claimed.add(row.id);
        await update(ctx, write, batch, index, draft, key, row);
      } else if (stored.isDeleted(key)) batch.skip(index, 'deleted');
      else if (stored.repeatsStored(draft)) batch.skip(index, 'title_duplicate');
      else fresh.push({ index, draft, key });
    }
  }
  const inserted = await insert(ctx, write, fresh);
  for (const { index, row } of inserted) batch.insert(index, row);
  await cover(ctx, place, inserted);
  if (batch.days.size > 0 || batch.touched) {
    await refreshFigures(ctx, { id: place.source.id, visible: place.visible }, batch.days);
    await refreshOrgCount(ctx, place.source.org_id);
  }
  const result = batch.result(drafts.length);
  if (result.inserted > 0) await addToCounter(ctx.tx, 'releases_inserted', result.inserted);
  if (result.updated > 0) await addToCounter(ctx.tx, 'releases_updated', result.updated);
  const rows = inserted.map(({ row }) => row);
  const announced = await announceInserted(ctx, write, rows);
  return { ...result, total: await visibleTotal(ctx, place), announced, heldBack: batch.heldBack };
}

// New releases that only tell of another's launch go behind it before anybody is told of them.
async function cover(ctx: WriteContext, place: SourceInOrg, inserted: readonly Inserted[]): Promise<void> {
  const ids = inserted.map(({ row }) => row.id);
  const covered = await ctx.ports.coverage.cover(ctx, place, ids);
  for (const { row } of inserted) if (covered.has(row.id)) row.listing = 1;
}

// Read again under the lock: the source may have been hidden or moved since the caller looked it up.
async function lockedPlace(ctx: WriteContext, known: SourceInOrg): Promise<SourceInOrg> {
  await ctx.store.dialect.lock(ctx.tx, `source:${known.source.id}`);
  const place = await placeOf(ctx, known.source.id);
  if (!place || place.source.deleted_at) throw notFound('source', known.source.id);
  return place;
}

interface Fresh {
  index: number;
  draft: ReleaseDraft;
  key: ItemKeys;
}

interface Inserted {
  index: number;
  row: ReleaseRow;
}

// A link to the source's own page, feed or changelog names no release.
function ownAddresses({ source }: SourceInOrg): Set<string> {
  const addresses = [source.url, source.feed_url, source.changelog_url].flatMap((url) =>
    url ? (normalizeUrl(url) ?? []) : [],
  );
  return new Set(addresses);
}

async function update(
  ctx: WriteContext,
  write: WriteDrafts,
  batch: BatchTally,
  index: number,
  draft: ReleaseDraft,
  key: ItemKeys,
  stored: ReleaseRow,
): Promise<void> {
  const { place } = write;
  const hash = contentHash(draft);
  if (write.insertOnly) return batch.unchanged(index, stored.id);
  const patterns = versionPatterns(place.source);
  const waitForSecondSight = write.writtenBy === 'fetch' || write.writtenBy === 'backfill';
  const { isReparse = false } = write;
  const rules = { source: place.source, patterns, waitForSecondSight, isReparse, hash, now: now(ctx) };
  const change = testChange(stored, hash === stored.source_hash ? repeated(draft, stored) : draft, rules);
  if (change.heldBack) {
    batch.heldBack = true;
    await rememberPending(ctx, stored, hash);
  }
  if (change.changed.length === 0) return batch.unchanged(index, stored.id);
  const text = { title: change.title, content: change.content, publishedAt: change.publishedAt };
  const previous = await new StableVersions(ctx, place.source).before(change.version);
  const { parsed, ...version } = change.version;
  const derived = derivedColumns(ctx, place, text, change.version, change.type, draft.origin, previous, draft.given);
  const next = await reviseRelease(ctx, place, {
    stored,
    changed: change.changed,
    cause: isReparse ? 'reparse' : 'source',
    changes: {
      ...textColumns(text, change.version.version),
      ...version,
      ...unpinned(derived, stored),
      type: change.type,
      origin: draft.origin,
      url: change.url,
      guid: change.guid,
      media: change.media,
      identity_key: key.key.startsWith('u:') ? key.key : stored.identity_key,
      // A body that waits has not been taken, so a second sight of it must not look like a repetition.
      source_hash: change.heldBack ? stored.source_hash : hash,
      pending_hash: change.heldBack ? hash : null,
      pending_since: change.heldBack ? (stored.pending_since ?? now(ctx)) : null,
      embedded_at: null,
    },
  });
  await keepPending(ctx, next, false);
  batch.update(index, stored, next);
}

// What the source said last time changes nothing, even where a person or a later job has since written other text.
function repeated(draft: ReleaseDraft, stored: ReleaseRow): ReleaseDraft {
  const { title, content, version, published_at: publishedAt } = stored;
  const isFilled = stored.content_hash !== stored.source_hash;
  const media = isFilled && shows(stored, draft.media ?? []) ? undefined : draft.media;
  return { ...draft, title, content, version, publishedAt, media };
}

// A text that was filled in has brought its pictures along.
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

async function insert(ctx: WriteContext, write: WriteDrafts, fresh: readonly Fresh[]): Promise<Inserted[]> {
  if (fresh.length === 0) return [];
  const { place } = write;
  const patterns = versionPatterns(place.source);
  const versions = fresh.map(({ draft }) => versionFields(draft, patterns));
  const stable = new StableVersions(ctx, place.source, versions);
  const numbers = await ctx.store.dialect.nextNumbers(ctx.tx, 'release_seq', fresh.length);
  const at = now(ctx);
  const docKeys = await freeDocKeys(
    ctx,
    fresh.map(({ draft }, position) => docKeyOf(draft.publishedAt, draft.firstSeenAt ?? at, numbers[position] ?? 0)),
  );
  const inserted: Inserted[] = [];
  for (const [position, { index, draft, key }] of fresh.entries()) {
    const version = versions[position] as VersionFields;
    const previous = await stable.before(version);
    const row = newRow(ctx, place, draft, key, version, previous, draft.firstSeenAt ?? at);
    row.seq = numbers[position] ?? 0;
    row.doc_key = docKeys[position] ?? 0;
    inserted.push({ index, row });
  }
  const rows = inserted.map(({ row }) => row);
  await insertMany(ctx.tx, 'releases', rows);
  const shown = rows.filter((row) => row.indexed === 1).sort((a, b) => a.doc_key - b.doc_key);
  await ctx.ports.fullText.write(
    ctx,
    shown.map((row) => indexable(row, place)),
  );
  return inserted;
}

async function visibleTotal(ctx: WriteContext, place: SourceInOrg): Promise<number> {
  const row = await ctx.tx
    .selectFrom('source_figures')
    .select('release_count')
    .where('source_id', '=', place.source.id)
    .executeTakeFirst();
  return place.visible ? (row?.release_count ?? 0) : 0;
}
