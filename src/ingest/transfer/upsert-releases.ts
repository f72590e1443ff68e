// Imports the releases of one source: rows, search rows, pending dates and figures. It writes no events.
import type { WriteContext } from '../../context.ts';
import { keysOf, pick } from '../../domain/records.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { isBreaking } from '../../domain/upgrade/judgement.ts';
import { feedVersionOf, parseVersion } from '../../domain/versions/index.ts';
import { isWithdrawn } from '../../domain/withdrawal.ts';
import { type SourceInOrg, sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { removeReleaseText, writeReleaseText } from '../../releases/indexing/release-text.ts';
import {
  digestOfLong,
  digestText,
  effectiveCategory,
  listingOf,
  notesColumns,
} from '../../releases/release-columns.ts';
import { storePending } from '../../releases/write/announce.ts';
import { docKeyOf, freeDocKey, freeDocKeys, indexable } from '../../releases/write/full-text.ts';
import { insertMany, insertMissing } from '../../store/insert-many.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { Classified } from './classify.ts';
import type { RecordData } from './record-children.ts';
import { RECORD_TYPES, storedColumns } from './record-types.ts';

type FileColumns = Omit<ReleaseRow, 'seq' | 'doc_key' | OwnColumn>;
type OwnColumn =
  | 'org_id'
  | 'product_id'
  | 'pending_hash'
  | 'pending_since'
  | 'upgrade_steps'
  | 'suppressed'
  | 'coverage_count'
  | 'proven'
  | 'effective_category'
  | 'listing'
  | 'indexed'
  | 'embedded_at';

export async function upsertReleases(ctx: WriteContext, classified: readonly Classified[]): Promise<void> {
  const inserted = classified.filter(({ outcome }) => outcome === 'inserted').map(({ record }) => record.data);
  const updated = classified.filter(({ outcome }) => outcome === 'updated').map(({ record }) => record.data);
  const sourceId = String([...inserted, ...updated][0]?.sourceId);
  if (inserted.length + updated.length === 0) return;
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  const sourceInOrg = await sourceById(ctx, sourceId);
  if (!sourceInOrg) throw new Error(`the source ${sourceId} has gone while its releases were imported`);
  if ([...inserted, ...updated].some(isOfEarlier)) await deriveAgain(ctx, sourceId);
  const rows = await newRows(ctx, sourceInOrg, inserted);
  await insertMany(ctx.tx, 'releases', rows);
  const changed = await changeRows(ctx, sourceInOrg, updated);
  const shown = [...rows, ...changed.map(({ next }) => next)].filter(({ indexed }) => indexed === 1);
  await writeReleaseText(
    ctx,
    shown.sort((a, b) => a.doc_key - b.doc_key).map((row) => indexable(row, sourceInOrg)),
  );
  await addRevisions(ctx, [...inserted, ...updated]);
  for (const row of [...rows, ...changed.map(({ next }) => next)]) await storePending(ctx, row, false);
  const touched = [...rows, ...changed.flatMap(({ stored, next }) => [stored, next])];
  const days = new Set(touched.flatMap(({ published_at }) => (published_at ? utcDay(published_at) : [])));
  await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
  await refreshOrgCount(ctx, sourceInOrg.source.org_id);
}

// Files of earlier versions do not say which releases repair security problems, or which verdicts rest on a number.
function isOfEarlier({ security, byVersion }: RecordData): boolean {
  return security === undefined || byVersion === undefined;
}

async function deriveAgain({ tx }: WriteContext, sourceId: string): Promise<void> {
  await tx.updateTable('derivations').set({ rules_version: 0 }).where('source_id', '=', sourceId).execute();
}

async function newRows(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  records: readonly RecordData[],
): Promise<ReleaseRow[]> {
  if (records.length === 0) return [];
  const files = await Array.fromAsync(records, (data) => rowColumns(ctx, data));
  const numbers = await ctx.store.dialect.nextNumbers(ctx.tx, 'release_seq', files.length);
  const wanted = files.map((row, index) => docKeyOf(row.published_at, row.fetched_at, numbers[index] ?? 0));
  const keys = await freeDocKeys(ctx, { wanted, numbers });
  return files.map((row, index) => {
    const suppressed = isWithdrawn(row) ? 1 : 0;
    const listing = listingOf({ suppressed, coverage_of: row.coverage_of }, sourceInOrg.visible);
    return {
      ...row,
      seq: numbers[index] ?? 0,
      doc_key: keys[index] ?? 0,
      ...placement(sourceInOrg),
      pending_hash: null,
      pending_since: null,
      suppressed,
      ...(suppressed === 1 ? {} : NOT_SUPPRESSED),
      coverage_count: 0,
      proven: 0,
      listing,
      indexed: listing > 0 ? 1 : 0,
      embedded_at: null,
    };
  });
}

// Releases that an operator of this registry has suppressed stay suppressed, and coverage stays coverage.
async function changeRows(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  records: readonly RecordData[],
): Promise<{ stored: ReleaseRow; next: ReleaseRow }[]> {
  const result: { stored: ReleaseRow; next: ReleaseRow }[] = [];
  for (const data of records) {
    const id = String(data.id);
    const stored = await ctx.tx.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const next: ReleaseRow = {
      ...stored,
      ...(await rowColumns(ctx, data)),
      ...placement(sourceInOrg),
      ...suppressionOf(stored, data),
      coverage_of: stored.coverage_of,
      pending_hash: null,
      pending_since: null,
      embedded_at: null,
    };
    next.listing = listingOf(next, sourceInOrg.visible);
    next.indexed = next.listing > 0 ? 1 : 0;
    if (next.published_at !== stored.published_at) {
      next.doc_key = await freeDocKey(ctx, docKeyOf(next.published_at, next.fetched_at, stored.seq), id);
    }
    if (stored.indexed && (!next.indexed || next.doc_key !== stored.doc_key)) {
      await removeReleaseText(ctx, [stored.doc_key]);
    }
    const { seq, id: _, ...columns } = next;
    await ctx.tx.updateTable('releases').set(columns).where('id', '=', id).execute();
    result.push({ stored, next });
  }
  return result;
}

function fileColumns(data: RecordData): FileColumns {
  const columns = storedColumns(RECORD_TYPES.release, data) as unknown as Omit<FileColumns, 'feed_version'>;
  return { ...columns, feed_version: feedVersionOf(columns.version_sort) };
}

// What files leave out because it follows from what they hold.
async function rowColumns(ctx: WriteContext, data: RecordData) {
  const columns = fileColumns(data);
  const steps = await stepsOfText(ctx, columns);
  return { ...columns, ...(await notesColumns(ctx, columns.migration_notes)), ...(steps && { upgrade_steps: steps }) };
}

// The steps that the rules read in a release whose notes nobody else has written.
async function stepsOfText(ctx: WriteContext, columns: FileColumns): Promise<ReleaseRow['upgrade_steps']> {
  const { title, content, version, prerelease, type, origin, breaking, migration_notes } = columns;
  if (columns.derived_by !== 'rules' || !isBreaking(breaking)) return null;
  const versionNumbers = parseVersion(version ?? '')?.numbers ?? [];
  const input = { title, content, version, versionNumbers, prerelease: prerelease === 1, type, origin, names: [] };
  const { bySteps } = (await digestOfLong(ctx, input)) ?? digestText(input);
  const told = bySteps.find((one) => one.breaking === breaking && one.migrationNotes === migration_notes);
  return told?.upgradeSteps ? toJson(told.upgradeSteps) : null;
}

const NOT_SUPPRESSED = { suppressed_reason: null, suppressed_by: null };

// A withdrawal is taken over from the file, and taken back with it; any other suppression is this registry's own.
function suppressionOf(
  stored: ReleaseRow,
  data: RecordData,
): Pick<ReleaseRow, 'suppressed' | 'suppressed_reason' | 'suppressed_by'> {
  if (stored.suppressed === 1 && !isWithdrawn(stored)) return pick(stored, 'suppressed', ...keysOf(NOT_SUPPRESSED));
  const file = fileColumns(data);
  return isWithdrawn(file)
    ? { suppressed: 1, ...pick(file, ...keysOf(NOT_SUPPRESSED)) }
    : { suppressed: 0, ...NOT_SUPPRESSED };
}

function placement(sourceInOrg: SourceInOrg) {
  const { org_id, product_id } = sourceInOrg.source;
  return { org_id, product_id, effective_category: effectiveCategory(sourceInOrg) };
}

// The file does not contain the old texts.
async function addRevisions(ctx: WriteContext, records: readonly RecordData[]): Promise<void> {
  const rows = records.flatMap(({ id, revisions }) =>
    (revisions ?? []).map((revision) => ({
      id: revision.id,
      release_id: String(id),
      replaced_at: revision.replacedAt,
      cause: revision.cause,
      changed: toJson(revision.changed),
      title: revision.title,
      content: '',
      version: revision.version,
      published_at: revision.publishedAt,
      prerelease: revision.prerelease ? 1 : 0,
      content_hash: revision.contentHash,
      previous_updated_at: revision.previousUpdatedAt,
    })),
  );
  await insertMissing(ctx.tx, 'release_revisions', rows);
}
