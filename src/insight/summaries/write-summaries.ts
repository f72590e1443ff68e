// The rolling and monthly summaries of a source, each written again when the releases of its period have changed.

import { type Context, now, queries, transact } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { MAX_STATEMENTS, periodSummary, quietState, quietSummary } from '../../domain/summaries/period-summary.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import {
  type MonthBasis,
  monthBases,
  monthPeriod,
  periodBasis,
  releasesOf,
  rollingPeriod,
  type SummaryPeriod,
} from '../../releases/summaries/basis.ts';
import type { SummaryRow } from '../../store/schema/insight.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { namesOf, SUMMARIZED_COLUMNS, toSummarized } from '../summarized-release.ts';

const WINDOW_DAYS = 30;

interface SummaryOptions {
  // How many of the latest months get a text; all of them unless given.
  months?: number;
}

// Returns how many texts changed.
export async function writeSummaries(
  ctx: Context,
  sourceInOrg: SourceInOrg,
  { months: newest = Number.POSITIVE_INFINITY }: SummaryOptions = {},
): Promise<number> {
  const sourceId = sourceInOrg.source.id;
  const stored = await queries(ctx).selectFrom('summaries').selectAll().where('source_id', '=', sourceId).execute();
  const months = await monthBases(ctx, sourceId);
  const texts = [await rollingText(ctx, sourceInOrg, stored)];
  for (const month of months.slice(-newest)) texts.push(await monthlyText(ctx, sourceInOrg, month, stored));
  const isSilent = (await quietText(ctx, sourceInOrg)) === null;
  let changed = await removeEmpty(ctx, { sourceId, stored, months, isSilent });
  for (const text of texts)
    if (text !== null && (await storeSummary(ctx, sourceId, { text, seen: stored }))) changed += 1;
  return changed;
}

// The basis is read before the releases, so that a change in between appears as another basis the next time.
async function rollingText(
  ctx: Context,
  sourceInOrg: SourceInOrg,
  stored: readonly SummaryRow[],
): Promise<WrittenSummary | null> {
  const period = rollingPeriod(ctx, WINDOW_DAYS);
  const basis = await periodBasis(ctx, sourceInOrg.source.id, period);
  const standing = findSummary(stored, { type: 'rolling', window_days: WINDOW_DAYS })?.basis;
  if (standing === basis) return null;
  const material = await materialOf(ctx, sourceInOrg, period);
  const at = now(ctx);
  if (material.count === 0) {
    const quiet = await quietText(ctx, sourceInOrg);
    if (quiet === null || quiet.basis === standing) return null;
    return { ...quiet, type: 'rolling', ...monthOf(at), window_days: WINDOW_DAYS, release_count: 0 };
  }
  const summary = periodSummary(material);
  return {
    type: 'rolling',
    ...monthOf(at),
    window_days: WINDOW_DAYS,
    summary,
    release_count: material.count,
    basis,
  };
}

function monthOf(at: string): { year: number; month: number } {
  return { year: Number(at.slice(0, 4)), month: Number(at.slice(5, 7)) };
}

async function monthlyText(
  ctx: Context,
  sourceInOrg: SourceInOrg,
  { year, month, basis }: MonthBasis,
  stored: readonly SummaryRow[],
): Promise<WrittenSummary | null> {
  if (findSummary(stored, { type: 'monthly', year, month })?.basis === basis) return null;
  const material = await materialOf(ctx, sourceInOrg, monthPeriod(year, month));
  const summary = periodSummary(material);
  return { type: 'monthly', year, month, window_days: 0, summary, release_count: material.count, basis };
}

async function materialOf(ctx: Context, sourceInOrg: SourceInOrg, period: SummaryPeriod) {
  const releases = releasesOf(ctx, sourceInOrg.source.id, period);
  const all = await releases.select(['version']).orderBy('feed_at').orderBy('id').execute();
  const top = await releases
    .select(SUMMARIZED_COLUMNS)
    .orderBy((eb) => eb.fn.coalesce('importance', eb.lit(0)), 'desc')
    .orderBy('feed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_STATEMENTS)
    .execute();
  const names = namesOf(sourceInOrg);
  return {
    count: all.length,
    versions: all.flatMap(({ version }) => version ?? []),
    releases: top.map((row) => toSummarized(row, names)),
  };
}

// The text is made from the latest release, which lies outside the period.
async function quietText(ctx: Context, { source }: SourceInOrg): Promise<{ summary: string; basis: string } | null> {
  const latest = await latestRelease(ctx, source.id);
  if (!latest) return null;
  const { version, title, published_at, seq, updated_at } = latest;
  const { from } = rollingPeriod(ctx, WINDOW_DAYS);
  const hasUndated = (await undatedSince(ctx, source.id, from)) !== undefined;
  const window = { windowDays: WINDOW_DAYS, from, checkedAt: source.last_fetched_at, hasUndated };
  return {
    summary: quietSummary(window, { version, title, feedAt: published_at ?? '' }),
    basis: `quiet:${quietState(window)}:${seq}:${updated_at}`,
  };
}

type LatestRelease = Pick<ReleaseRow, 'version' | 'title' | 'published_at' | 'seq' | 'updated_at'>;

// The highest version, because dates may be missing and older versions are still maintained; news without a version counts when
// it is the newest of all.
async function latestRelease(ctx: Context, sourceId: string): Promise<LatestRelease | undefined> {
  const listed = queries(ctx)
    .selectFrom('releases')
    .select(['version', 'title', 'published_at', 'seq', 'updated_at'])
    .where('source_id', '=', sourceId)
    .where('listing', '=', 2)
    .where('feed_at', '<=', now(ctx))
    .orderBy('feed_at', 'desc')
    .orderBy('fetched_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const newest = await listed.executeTakeFirst();
  if (!newest || (newest.version === null && newest.published_at !== null)) return newest;
  const figures = await queries(ctx)
    .selectFrom('source_figures')
    .select('latest_version')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  if (!figures?.latest_version) return newest;
  return (await listed.where('version', '=', figures.latest_version).executeTakeFirst()) ?? newest;
}

function undatedSince(ctx: Context, sourceId: string, from: string) {
  return queries(ctx)
    .selectFrom('releases')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('listing', '=', 2)
    .where('published_at', 'is', null)
    .where('fetched_at', '>=', from)
    .limit(1)
    .executeTakeFirst();
}

// Writes the summaries of a source that changed, and removes those of periods without a release.

type WrittenSummary = Omit<SummaryRow, 'id' | 'source_id' | 'generated_at'>;

// Summaries of months without a release are removed, and all summaries of a source without any release.
async function removeEmpty(
  ctx: Context,
  input: { sourceId: string; stored: readonly SummaryRow[]; months: readonly MonthBasis[]; isSilent: boolean },
): Promise<number> {
  const { sourceId, stored, months, isSilent } = input;
  const withReleases = new Set(months.map(({ year, month }) => `${year}-${month}`));
  const empty = stored
    .filter((row) => row.basis !== null && row.basis !== 'none')
    .filter((row) => (row.type === 'monthly' ? !withReleases.has(`${row.year}-${row.month}`) : isSilent));
  if (empty.length === 0) return 0;
  const ids = empty.map((row) => row.id);
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('summaries').where('source_id', '=', sourceId).where('id', 'in', ids).execute(),
    'derived',
  );
  return ids.length;
}

// Stores a summary unless another writer was faster; its text is checked the next time.
async function storeSummary(
  ctx: Context,
  sourceId: string,
  { text, seen }: { text: WrittenSummary; seen: readonly SummaryRow[] },
): Promise<boolean> {
  const before = findSummary(seen, text);
  return transact(
    ctx,
    async (ctx) => {
      const { tx } = ctx;
      await ctx.store.dialect.lock(tx, `summaries ${sourceId}`);
      const current = findSummary(
        await tx.selectFrom('summaries').selectAll().where('source_id', '=', sourceId).execute(),
        text,
      );
      if (current?.generated_at !== before?.generated_at || current?.basis !== before?.basis) return false;
      const columns = { ...text, generated_at: now(ctx) };
      if (current)
        await tx
          .updateTable('summaries')
          .set(columns)
          .where('id', '=', current.id)
          .where('source_id', '=', sourceId)
          .execute();
      else
        await tx
          .insertInto('summaries')
          .values({ id: newId('sum', ctx.randomBytes), source_id: sourceId, ...columns })
          .execute();
      return true;
    },
    'derived',
  );
}

function findSummary(rows: readonly SummaryRow[], wanted: Partial<SummaryRow>): SummaryRow | undefined {
  return rows.find((row) =>
    wanted.type === 'rolling'
      ? row.type === 'rolling' && row.window_days === wanted.window_days
      : row.type === 'monthly' && row.year === wanted.year && row.month === wanted.month,
  );
}
