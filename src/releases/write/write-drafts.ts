// The only write path of releases: operators, fetches, lookups and imports all use it, in one transaction.

import { now, type WriteContext } from '../../context.ts';
import type { BatchResult, SkipReason } from '../../contract/release-input.ts';
import { elementAt } from '../../domain/records.ts';
import { type ItemKeys, identityKeys } from '../../domain/release-identity.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { lockSourceById, type SourceInOrg } from '../../entities/resolve.ts';
import { counterStatement } from '../../store/counters.ts';
import { insertMany } from '../../store/insert-many.ts';
import { holdToEnd, together } from '../../store/pipeline.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { noteDifference } from '../authored.ts';
import { countFigures, refreshOrgCount, storeFigures } from '../figures.ts';
import { writeReleaseText } from '../indexing/release-text.ts';
import { loadSurroundings } from '../release-items.ts';
import { announceInserted, type InsertedRelease, newsAmong } from './announce.ts';
import type { Draft } from './draft.ts';
import { indexable } from './full-text.ts';
import { itemFilter } from './item-filters.ts';
import { matchStored } from './match-stored.ts';
import { type IdentifiedDraft, RowBuilder, storedHabits } from './row-builder.ts';
import { updateRelease } from './update-release.ts';

export interface WriteDrafts {
  sourceInOrg: SourceInOrg;
  // The caller has read the source under its lock.
  isLocked?: boolean;
  drafts: readonly Draft[];
  // The keys of each draft, when the caller has already computed them.
  keys?: readonly ItemKeys[];
  insertOnly?: boolean;
  writtenBy: InsertedRelease['writtenBy'];
  announce?: boolean;
  silent?: boolean;
  // The stored text is parsed again with newer rules.
  isReparse?: boolean;
  firstFetch?: boolean;
  identityLost?: boolean;
  // The author's own call: what it says is taken as it is, also where it is less.
  isPublication?: boolean;
}

interface WriteOutcome extends BatchResult {
  // A shorter body waits for a second fetch, so the validators of this fetch must not be stored.
  heldBack: boolean;
}

export async function writeDrafts(ctx: WriteContext, write: WriteDrafts): Promise<WriteOutcome> {
  const { drafts, insertOnly, isReparse = false, isPublication = false } = write;
  const waitForSecondFetch = write.writtenBy === 'fetch' || write.writtenBy === 'backfill';
  // The source is read again under the lock, because it may have been hidden or moved since the caller resolved it.
  const known = write.sourceInOrg;
  const sourceInOrg = write.isLocked ? known : await lockSourceById(ctx, known.source.id);
  const keys = write.keys ?? identityKeys(drafts, ownAddresses(sourceInOrg.source));
  const [refusalOf, stored, habits] = await together([
    itemFilter(ctx, sourceInOrg, drafts),
    matchStored(ctx, { sourceInOrg, drafts, keys }),
    storedHabits(ctx, sourceInOrg.source.id),
  ]);
  const rows = new RowBuilder(ctx, sourceInOrg, habits);
  const tally = new BatchTally();

  const fresh: (IdentifiedDraft & { index: number })[] = [];
  const claimed = new Set<string>();
  for (const [index, draft] of drafts.entries()) {
    await endLongTurn();
    const key = elementAt(keys, index);
    const row = stored.find(key);
    const refused = refusalOf(draft);
    const author = row && write.writtenBy !== 'operator' ? stored.authorOf(row) : null;
    const isRepeated = claimed.has(key.key) || (row !== null && claimed.has(row.id));
    if (refused) tally.skip(index, refused);
    else if (isRepeated) tally.skip(index, 'repeated_in_batch');
    else if (row && insertOnly) tally.unchanged(index, row.id);
    else if (row && author) {
      await noteDifference(ctx, { stored: row, draft, author });
      tally.unchanged(index, row.id);
    } else if (row) {
      const update = { stored: row, draft, key, sourceInOrg, rows };
      const { next, heldBack } = await updateRelease(ctx, update, { waitForSecondFetch, isReparse, isPublication });
      tally.heldBack ||= heldBack;
      if (next) tally.update(index, row, next);
      else tally.unchanged(index, row.id);
    } else if (stored.isDeleted(key)) tally.skip(index, 'deleted');
    else if (stored.repeatsStored(draft)) tally.skip(index, 'title_duplicate');
    else fresh.push({ index, draft, key });
    if (refused || isRepeated) continue;
    claimed.add(key.key);
    if (row) claimed.add(row.id);
  }

  const inserted = await insertReleases(ctx, { sourceInOrg, rows: await rows.newRows(ctx, fresh) });
  for (const [position, row] of inserted.entries()) tally.insert(fresh[position]?.index ?? 0, row);
  const result = tally.result(drafts.length);
  const isChanged = result.inserted + result.updated > 0;
  const sourceId = sourceInOrg.source.id;
  const news = newsAmong(ctx, write, inserted);
  const [count, , surroundings] = await together([
    isChanged
      ? refreshCounts(ctx, { sourceInOrg, days: tally.days, inserted, isUpdated: result.updated > 0 })
      : storedCount(ctx, sourceId),
    ctx.ports.packages.releasesAdded(ctx, { sourceId, releaseIds: result.insertedIds }),
    loadSurroundings(ctx, news.size > 0 ? [sourceId] : []),
  ]);
  noteCounters(ctx, result);
  const announced = await announceInserted(ctx, inserted, { news, surroundings });
  return { ...result, total: sourceInOrg.visible ? count : 0, announced, heldBack: tally.heldBack };
}

// Links to the source's own page, feed or changelog do not identify a release.
export function ownAddresses({
  url,
  feed_url,
  changelog_url,
}: Pick<SourceRow, 'url' | 'feed_url' | 'changelog_url'>): Set<string> {
  return new Set([url, feed_url, changelog_url].flatMap((address) => (address ? (normalizeUrl(address) ?? []) : [])));
}

async function insertReleases(
  ctx: WriteContext,
  { sourceInOrg, rows }: { sourceInOrg: SourceInOrg; rows: ReleaseRow[] },
): Promise<ReleaseRow[]> {
  const shown = rows.filter((row) => row.indexed === 1).sort((a, b) => a.doc_key - b.doc_key);
  const texts = shown.map((row) => indexable(row, sourceInOrg));
  await together([insertMany(ctx.tx, 'releases', rows), writeReleaseText(ctx, texts)]);
  // New releases of an already known launch become coverage before any event is written.
  const covered = await ctx.ports.coverage.cover(ctx, sourceInOrg, rows);
  for (const row of rows) if (covered.has(row.id)) row.listing = 1;
  return rows;
}

interface ChangedReleases {
  sourceInOrg: SourceInOrg;
  days: Set<string>;
  inserted: readonly ReleaseRow[];
  isUpdated: boolean;
}

async function refreshCounts(
  ctx: WriteContext,
  { sourceInOrg, days, inserted, isUpdated }: ChangedReleases,
): Promise<number> {
  const { source, visible } = sourceInOrg;
  const expected = {
    rules: source,
    packagePart: inserted[0]?.package_part ?? null,
    added: isUpdated ? undefined : lastAdded(ctx, inserted),
  };
  const figures = await countFigures(ctx, { id: source.id, visible }, { days, expected });
  await together([storeFigures(ctx, source.id, figures), refreshOrgCount(ctx, source.org_id)]);
  return figures.release_count;
}

// Releases with a date to come are not shown yet.
function lastAdded(ctx: WriteContext, inserted: readonly ReleaseRow[]): string | undefined {
  const shown = inserted.filter(({ listing, feed_at }) => Math.abs(listing) === 2 && feed_at <= now(ctx));
  return shown
    .map(({ fetched_at }) => fetched_at)
    .sort()
    .at(-1);
}

// Every writer waits for the rows of the counters.
function noteCounters(ctx: WriteContext, { inserted, updated }: { inserted: number; updated: number }): void {
  if (inserted > 0) holdToEnd(ctx.tx, [counterStatement(ctx.tx, 'releases_inserted', inserted)]);
  if (updated > 0) holdToEnd(ctx.tx, [counterStatement(ctx.tx, 'releases_updated', updated)]);
}

async function storedCount(ctx: WriteContext, sourceId: string): Promise<number> {
  const figures = ctx.tx.selectFrom('source_figures').select('release_count').where('source_id', '=', sourceId);
  return (await figures.executeTakeFirst())?.release_count ?? 0;
}

// Collects the outcome of each row, in the order of the call.
class BatchTally {
  readonly items: BatchResult['items'] = [];
  readonly days = new Set<string>();
  heldBack = false;

  skip(index: number, reason: SkipReason): void {
    this.items.push({ index, id: null, outcome: 'skipped', reason });
  }

  unchanged(index: number, id: string): void {
    this.items.push({ index, id, outcome: 'unchanged' });
  }

  insert(index: number, row: ReleaseRow): void {
    this.items.push({ index, id: row.id, outcome: 'inserted' });
    this.#touch(row);
  }

  update(index: number, before: ReleaseRow, after: ReleaseRow): void {
    this.items.push({ index, id: after.id, outcome: 'updated' });
    this.#touch(before);
    this.#touch(after);
  }

  #touch(row: ReleaseRow): void {
    if (row.published_at) this.days.add(utcDay(row.published_at));
  }

  result(sent: number): Omit<BatchResult, 'total' | 'announced'> {
    const items = this.items.sort((a, b) => a.index - b.index);
    const idsOf = (outcome: string) =>
      items.filter((item) => item.outcome === outcome).flatMap((item) => item.id ?? []);
    const insertedIds = idsOf('inserted');
    const updatedIds = idsOf('updated');
    const skipped = items.filter((item) => item.outcome === 'skipped').length;
    const unchanged = sent - insertedIds.length - updatedIds.length - skipped;
    return {
      inserted: insertedIds.length,
      updated: updatedIds.length,
      unchanged,
      skipped,
      insertedIds,
      updatedIds,
      items,
    };
  }
}
