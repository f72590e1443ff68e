// Announces releases: decides which inserted ones become events and which wait for their date, and adds the source,
// product and org to the event.
import { type Context, now, type WriteContext } from '../../context.ts';
import type { AnnouncedRelease } from '../../ports.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { loadSurroundings, type ReleaseOwners } from '../release-items.ts';

type InsertedBy = Pick<InsertedRelease, 'writtenBy'> &
  Partial<Pick<InsertedRelease, 'announce' | 'silent' | 'firstFetch' | 'identityLost'>>;

const DAY_MS = 86_400_000;

// The inserted releases that are news.
export function newsAmong(ctx: Context, write: InsertedBy, rows: readonly ReleaseRow[]): Set<ReleaseRow> {
  const undatedInRun = rows.filter((row) => row.published_at === null).length;
  const atMs = Date.parse(now(ctx));
  const news = rows.filter((row) =>
    announces({
      listed: row.listing === 2,
      silent: write.silent ?? false,
      announce: write.announce ?? false,
      writtenBy: write.writtenBy,
      firstFetch: write.firstFetch ?? false,
      ageDays: row.published_at ? (atMs - Date.parse(row.published_at)) / DAY_MS : null,
      undatedInRun,
      identityLost: write.identityLost ?? false,
    }),
  );
  return new Set(news);
}

// Announces the news among inserted releases that are already published; the others wait for their date.
export async function announceInserted(
  ctx: WriteContext,
  rows: readonly ReleaseRow[],
  { news, surroundings }: { news: ReadonlySet<ReleaseRow>; surroundings: Surroundings },
): Promise<number> {
  const due: ReleaseRow[] = [];
  for (const row of rows) {
    const later = await storePending(ctx, row, news.has(row));
    if (news.has(row) && !later) due.push(row);
  }
  await orderByAnnouncement(ctx, due);
  return ctx.ports.webhooks.recordEvents(ctx, withOwners(due, surroundings), { justInserted: true });
}

// Stores a release with a future date as pending. Returns true when it is one.
export async function storePending(ctx: WriteContext, row: ReleaseRow, announce: boolean): Promise<boolean> {
  if (row.published_at === null || row.published_at <= now(ctx)) return false;
  await ctx.tx
    .insertInto('pending_releases')
    .values({ release_id: row.id, source_id: row.source_id, due_at: row.published_at, announce: announce ? 1 : 0 })
    .onConflict((conflict) => conflict.column('release_id').doUpdateSet({ due_at: row.published_at ?? '' }))
    .execute();
  return true;
}

// An undated release that is announced is ordered in feeds by the time of its event.
async function orderByAnnouncement(ctx: WriteContext, announced: readonly ReleaseRow[]): Promise<void> {
  const undated = announced.filter((row) => row.published_at === null);
  if (undated.length === 0) return;
  await ctx.tx
    .updateTable('releases')
    .set((eb) => ({ feed_at: eb.ref('fetched_at') }))
    .where(
      'id',
      'in',
      undated.map((row) => row.id),
    )
    .execute();
}

// Passes newly visible releases with their source, product and org to the port that writes events.
export async function announceReleases(ctx: WriteContext, rows: readonly ReleaseRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  return ctx.ports.webhooks.recordEvents(ctx, await announcedReleases(ctx, rows));
}

// Releases as events tell of them.
export async function announcedReleases(ctx: Context, rows: readonly ReleaseRow[]): Promise<AnnouncedRelease[]> {
  const ids = rows.map((row) => row.source_id);
  return withOwners(rows, await loadSurroundings(ctx, ids));
}

type Surroundings = ReadonlyMap<string, ReleaseOwners>;

function withOwners(rows: readonly ReleaseRow[], surroundings: Surroundings): AnnouncedRelease[] {
  return rows.flatMap((release) => {
    const near = surroundings.get(release.source_id);
    if (!near) return [];
    const org = near.orgSlug
      ? {
          slug: near.orgSlug,
          name: near.orgName ?? '',
          avatarUrl: near.orgAvatarUrl,
          githubHandle: near.orgGithubHandle,
        }
      : null;
    return {
      release,
      source: { slug: near.sourceSlug, name: near.sourceName, type: near.sourceType },
      org,
      product: near.productSlug ? { slug: near.productSlug, name: near.productName ?? '' } : null,
    };
  });
}

// What decides whether an inserted release is announced by an event.
export interface InsertedRelease {
  listed: boolean;
  silent: boolean;
  announce: boolean;
  writtenBy: 'operator' | 'fetch' | 'backfill' | 'lookup' | 'import';
  firstFetch: boolean;
  // Days between publication and the fetch; null when undated.
  ageDays: number | null;
  undatedInRun: number;
  identityLost: boolean;
}

const OLD_NEWS_DAYS = 30;
const MANY_UNDATED = 10;

export function announces(insertion: InsertedRelease): boolean {
  const { writtenBy, ageDays } = insertion;
  if (!insertion.listed) return false;
  if (insertion.silent || writtenBy === 'lookup' || writtenBy === 'import') return false;
  if (insertion.announce || writtenBy === 'operator') return true;
  if (insertion.firstFetch || writtenBy === 'backfill') return false;
  if (ageDays !== null && ageDays > OLD_NEWS_DAYS) return false;
  if ((ageDays === null && insertion.undatedInRun > MANY_UNDATED) || insertion.identityLost) return false;
  return true;
}
