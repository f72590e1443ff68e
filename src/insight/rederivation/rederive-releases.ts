// Derives stored fields again when the rules have changed, one page of a source in a transaction. The release itself does not
// change: there is no revision, no event and no new date. Fields that a person pinned, or a model or caller wrote, stay.
import { sql } from 'kysely';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { type Habits, habitsFromJson, habitsToJson, RULES_VERSION } from '../../domain/notes/index.ts';
import { notesOfSection } from '../../domain/upgrade/guide.ts';
import { isBreaking } from '../../domain/upgrade/judgement.ts';
import { type SourceInOrg, sourceById } from '../../entities/resolve.ts';
import { guideSectionsOf } from '../../packages/whats-changed/spans.ts';
import { noteChange } from '../../releases/figures.ts';
import { writeReleaseText } from '../../releases/indexing/release-text.ts';
import {
  type DerivedColumns,
  notesColumns,
  prepareSteps,
  stepsColumn,
  unpinned,
} from '../../releases/release-columns.ts';
import { indexable } from '../../releases/write/full-text.ts';
import { RowBuilder } from '../../releases/write/row-builder.ts';
import { changedColumns } from '../../store/changed-columns.ts';
import type { DerivationRow } from '../../store/schema/insight.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { resultOf, withResults } from '../../threads/results.ts';
import { HABIT_READING } from './habit-task.ts';

const PAGE = 100;

// Processes one page; true when there may be more.
export async function rederiveReleases(ctx: Context, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return false;
  const sourceId = await dueSource(ctx);
  if (sourceId === null) return false;
  const ahead = withResults(ctx);
  await preparePage(ahead, sourceId);
  await transact(ahead, (ctx) => rederivePage(ctx, sourceId), 'derived');
  return true;
}

// Reads the habits and long texts of the page before the transaction reads it under its lock.
async function preparePage(ctx: Context, sourceId: string): Promise<void> {
  const page = await readPage(ctx, sourceId);
  if (!page) return;
  const { rows, builder, guides } = page;
  await Promise.all(rows.map((row) => builder.prepareDigest(derivableOf(builder, row))));
  for (const { migration_notes } of rows) await prepareSteps(ctx, migration_notes);
  for (const { notes } of guides.values()) await prepareSteps(ctx, notes);
}

async function readPage(ctx: Context, sourceId: string) {
  const sourceInOrg = await sourceById(ctx, sourceId);
  if (!sourceInOrg) return null;
  const state = await begun(ctx, sourceId);
  const rows = state.finished ? [] : await nextRows(ctx, state);
  const guides = await guideSectionsOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return { sourceInOrg, state, rows, guides, builder: new RowBuilder(ctx, sourceInOrg, habitsFromJson(state.habits)) };
}

async function rederivePage(ctx: WriteContext, sourceId: string): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  const page = await readPage(ctx, sourceId);
  if (!page) return;
  const { sourceInOrg, state, rows, builder, guides } = page;
  const derive = deriver(ctx, builder, guides);
  let isChanged = false;
  for (const row of rows) {
    const changes = await derive(row);
    if (changes && (await store(ctx, sourceInOrg, row, changes))) isChanged = true;
  }
  await rederiveGuides(ctx, guides);
  if (isChanged) await noteChange(ctx, sourceId);
  const derived_to = rows.at(-1)?.seq ?? state.derived_to;
  await writeState(ctx, { ...state, derived_to, finished: rows.length < PAGE ? 1 : 0 });
}

// Habits are counted when the work on a source begins, so that all its releases are read alike.
async function begun(ctx: Context, sourceId: string): Promise<DerivationRow> {
  const known = await queries(ctx)
    .selectFrom('derivations')
    .selectAll()
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const isCurrent = known?.rules_version === RULES_VERSION;
  if (known && isCurrent && known.finished === 0) return known;
  const { habits, releases } = await countHabits(ctx, sourceId);
  const text = habitsToJson(habits);
  const isSame = isCurrent && known?.habits === text;
  return {
    source_id: sourceId,
    rules_version: RULES_VERSION,
    derived_to: isSame ? known.derived_to : 0,
    finished: isSame ? 1 : 0,
    habits: text,
    counted: releases,
    updated_at: now(ctx),
  };
}

function nextRows(ctx: Context, { source_id, derived_to }: DerivationRow): Promise<ReleaseRow[]> {
  return queries(ctx)
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', source_id)
    .where('seq', '>', derived_to)
    .orderBy('seq')
    .limit(PAGE)
    .execute();
}

type RederivedColumns = Partial<DerivedColumns>;

type StoredGuides = Awaited<ReturnType<typeof guideSectionsOf>>;

function deriver(
  ctx: Context,
  rows: RowBuilder,
  guides: StoredGuides,
): (row: ReleaseRow) => Promise<RederivedColumns | null> {
  const bases = rows.stableVersions();
  return async (row) => {
    const byRules = await withGuide(ctx, await rows.derive(derivableOf(rows, row), bases), guides.get(row.id)?.notes);
    // Nobody else writes this one.
    const derived: RederivedColumns = isDerivable(row) ? unpinned(byRules, row) : { security: byRules.security };
    // Notes that stay have their steps by the rules of today, too.
    if (derived.migration_notes === undefined) derived.upgrade_steps = await stepsColumn(ctx, row.migration_notes);
    const changes = changedColumns<RederivedColumns>(row, derived);
    return Object.keys(changes).length === 0 ? null : changes;
  };
}

// A breaking release without notes of its own keeps those of the upgrade guide.
async function withGuide(ctx: Context, derived: DerivedColumns, guide: string | undefined): Promise<DerivedColumns> {
  if (guide === undefined || derived.migration_notes !== null || !isBreaking(derived.breaking)) return derived;
  return { ...derived, ...(await notesColumns(ctx, notesOfSection(guide))) };
}

async function rederiveGuides(ctx: WriteContext, guides: StoredGuides): Promise<void> {
  for (const [releaseId, { notes, steps }] of guides) {
    const upgrade_steps = await stepsColumn(ctx, notes);
    if (upgrade_steps === steps) continue;
    await ctx.tx.updateTable('guide_notes').set({ upgrade_steps }).where('release_id', '=', releaseId).execute();
  }
}

function isDerivable({ derived_by, origin }: ReleaseRow): boolean {
  return derived_by === 'rules' && origin !== 'api';
}

function derivableOf(rows: RowBuilder, { title, content, type, origin, version, prerelease }: ReleaseRow) {
  return { title, content, type, origin, version: rows.versionOf({ version, prerelease: prerelease === 1 }) };
}

// True when feeds and searches show what has changed; they show no steps.
async function store(
  ctx: WriteContext,
  sourceInOrg: SourceInOrg,
  row: ReleaseRow,
  changes: RederivedColumns,
): Promise<boolean> {
  // The vector of a release is made of its summary too.
  const columns = 'summary' in changes ? { ...changes, embedded_at: null } : changes;
  await ctx.tx.updateTable('releases').set(columns).where('id', '=', row.id).execute();
  const isShown = Object.keys(columns).some((column) => column !== 'upgrade_steps');
  if (isShown && row.indexed) await writeReleaseText(ctx, [indexable({ ...row, ...columns }, sourceInOrg)]);
  return isShown;
}

async function writeState(ctx: WriteContext, { source_id, ...state }: DerivationRow): Promise<void> {
  const columns = { ...state, updated_at: now(ctx) };
  await ctx.tx
    .insertInto('derivations')
    .values({ source_id, ...columns })
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(columns))
    .execute();
}

// The next source to derive again: one with older rules, with unfinished work, or with twice the releases of the last count.
async function dueSource(ctx: Context): Promise<string | null> {
  const row = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('derivations as d', 'd.source_id', 's.id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select('s.id')
    .where('s.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('d.source_id', 'is', null),
        eb('d.rules_version', '!=', RULES_VERSION),
        eb('d.finished', '=', 0),
        eb.and([eb('f.release_count', '>=', MIN_RELEASES), eb('f.release_count', '>=', sql<number>`2 * d.counted`)]),
      ]),
    )
    .orderBy('s.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

// How a source usually writes, counted over its newest releases: sentences that most of them repeat, and what its
// warning signs mean.

const COUNTED_RELEASES = 200;

const COUNTED_CHARACTERS = 20_000;

// Below this number of releases nothing is a habit.
const MIN_RELEASES = 6;

interface HabitCount {
  habits: Habits;
  releases: number;
}

// The newest releases say how a source writes today.
async function countHabits(ctx: Context, sourceId: string): Promise<HabitCount> {
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(sql<string>`substr(content, 1, ${sql.lit(COUNTED_CHARACTERS)})`.as('content'))
    .where('source_id', '=', sourceId)
    .orderBy('seq', 'desc')
    .limit(COUNTED_RELEASES)
    .execute();
  const figures = await queries(ctx)
    .selectFrom('source_figures')
    .select('release_count')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const bodies = rows.map(({ content }) => content);
  return {
    habits: await resultOf(ctx, { task: HABIT_READING, input: bodies, size: bodies.join('').length }),
    releases: Math.max(rows.length, Number(figures?.release_count ?? 0), 1),
  };
}
