// Counters that lists show, updated with every change of a source's releases, so that reads scan nothing.
import { type CompiledQuery, sql } from 'kysely';
import { now, type WriteContext } from '../context.ts';
import type { Pattern } from '../domain/safe-pattern.ts';
import { addDays, utcDay } from '../domain/timestamps.ts';
import { schemeOfKey } from '../domain/versions/index.ts';
import { inOrder, together } from '../store/pipeline.ts';
import { ONE_PLAN } from '../store/query-builder.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';
import type { SourceFiguresRow, SourceRow } from '../store/schema/sources.ts';
import { inVersionOrder, schemeSetting, versionPatterns } from './versions.ts';

interface CountedSource {
  id: string;
  // A hidden source has the same figures as a visible one; its releases have the negative listing.
  visible: boolean;
}

const PAGE = 16;
const ONE = sql.lit(1);

// `days` are those whose counts may have changed; without them every day is counted again. Returns the number of
// counted releases.
export async function refreshFigures(
  ctx: WriteContext,
  source: CountedSource,
  days?: ReadonlySet<string>,
): Promise<number> {
  const figures = await countFigures(ctx, source, { days });
  await storeFigures(ctx, source.id, figures);
  return figures.release_count;
}

type Figures = Omit<SourceFiguresRow, 'source_id'>;

// The days are counted again, then the figures that are read from them.
export async function countFigures(
  ctx: WriteContext,
  source: CountedSource,
  { days, expected }: { days?: ReadonlySet<string> | undefined; expected?: ExpectedLatest },
): Promise<Figures> {
  const statements = [...dayStatements(ctx, source, days), readFigures(ctx, source, expected?.added)];
  const ahead = expected ? latestStatements(ctx, source, expected) : [];
  const answers = await inOrder(ctx.tx, [...statements, ...ahead]);
  const [row] = answers[statements.length - 1] as [FiguresRow];
  const [newest, highest] = answers.slice(statements.length) as [NewestRow[]?, VersionRow[]?];
  const read = newest && highest && expected ? { newest, highest, packagePart: expected.packagePart } : undefined;
  return {
    release_count: Number(row.count),
    dated_count: row.dated ?? 0,
    latest_version: await latestVersion(ctx, source, { rules: row, read }),
    latest_date: row.latest,
    latest_added_at: expected?.added ? laterOf(row.added, expected.added) : (row.added ?? null),
    first_date: row.first,
    changed_at: nextChange(ctx, row.changed),
  };
}

export async function storeFigures(ctx: WriteContext, sourceId: string, figures: Figures): Promise<void> {
  await ctx.tx
    .insertInto('source_figures')
    .values({ source_id: sourceId, ...figures })
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(figures))
    .execute();
}

// The figures of a new source, which has no release to count.
export async function insertFigures(ctx: WriteContext, sourceId: string): Promise<void> {
  await ctx.tx
    .insertInto('source_figures')
    .values({
      source_id: sourceId,
      release_count: 0,
      dated_count: 0,
      latest_version: null,
      latest_date: null,
      latest_added_at: null,
      first_date: null,
      changed_at: nextChange(ctx, null),
    })
    .execute();
}

type FiguresRow = ReturnType<typeof readFigures> extends CompiledQuery<infer Row> ? Row : never;

// One statement, because every write of a release runs it: the day counts of the source are up to date, the count reads an index
// alone, and only when nobody knows what was added last all rows of the source are read for it.
function readFigures(ctx: WriteContext, source: CountedSource, added: string | undefined) {
  const counted = countedReleases(ctx, source);
  const dated = counted.select('feed_at').where('feed_at', '>', '').where('published_at', 'is not', null).limit(ONE);
  const own = ctx.tx.selectFrom('sources').where('id', '=', source.id);
  const days = ctx.tx.selectFrom('release_days').where('source_id', '=', source.id);
  const before = ctx.tx.selectFrom('source_figures').where('source_id', '=', source.id);
  const newest = counted.select(({ fn }) => fn.max('fetched_at').as('latest_added_at'));
  return counted
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      (added === undefined ? newest : before.select('latest_added_at')).as('added'),
      dated.orderBy('feed_at', 'desc').as('latest'),
      dated.orderBy('feed_at').as('first'),
      days.select('through').orderBy('day', 'desc').limit(ONE).as('dated'),
      before.select('changed_at').as('changed'),
      own.select('settings').$asScalar().$notNull().as('settings'),
      own.select('version_scheme').$asScalar().as('version_scheme'),
    ])
    .modifyEnd(ONE_PLAN)
    .compile();
}

// Called when a feed changes without the figures of the source: a derived text was updated.
export async function noteChange(ctx: WriteContext, sourceId: string): Promise<void> {
  const own = ctx.tx.selectFrom('source_figures').select('changed_at').where('source_id', '=', sourceId);
  const row = await own.executeTakeFirst();
  await ctx.tx
    .updateTable('source_figures')
    .set({ changed_at: nextChange(ctx, row?.changed_at ?? null) })
    .where('source_id', '=', sourceId)
    .execute();
}

// The current time, or a second after the last change: readers compare whole seconds and must not miss a change.
function nextChange(ctx: WriteContext, changedAt: string | null): string {
  const present = ctx.clock().getTime();
  const last = changedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(changedAt);
  const isLater = Math.ceil(present / 1000) > Math.ceil(last / 1000);
  return new Date(isLater ? present : last + 1000).toISOString();
}

function laterOf(a: string | null, b: string): string {
  return a !== null && a > b ? a : b;
}

function countedReleases(ctx: WriteContext, source: CountedSource) {
  return ctx.tx
    .selectFrom('releases')
    .where('source_id', '=', source.id)
    .where('listing', '=', source.visible ? 2 : -2)
    .where('feed_at', '<=', now(ctx));
}

function dayStatements(ctx: WriteContext, source: CountedSource, days?: ReadonlySet<string>): CompiledQuery<unknown>[] {
  const sorted = days ? [...days].sort() : null;
  if (sorted && sorted.length === 0) return [];
  const from = sorted?.[0] ?? '0';
  const to = sorted ? addDays(utcDay(sorted.at(-1) ?? ''), 1) : '~';
  const ofSource = ctx.tx.deleteFrom('release_days').where('source_id', '=', source.id);
  const counted = sql`SELECT substr(feed_at, 1, 10) AS day, COUNT(*) AS count FROM releases
    WHERE source_id = ${source.id} AND listing = ${source.visible ? 2 : -2}
      AND feed_at >= ${from} AND feed_at < ${to} AND feed_at <= ${now(ctx)} AND published_at IS NOT NULL
    GROUP BY substr(feed_at, 1, 10)`;
  const throughBefore = (day: string) => sql`COALESCE((SELECT through FROM release_days
    WHERE source_id = ${source.id} AND day < ${day} ORDER BY day DESC LIMIT 1), 0)`;
  const throughBeforeLater = sql`(SELECT through - count FROM release_days
    WHERE source_id = ${source.id} AND day >= ${to} ORDER BY day LIMIT 1)`;
  return [
    ofSource.where('day', '>=', from).where('day', '<', to).modifyEnd(ONE_PLAN).compile(),
    sql`INSERT INTO release_days (source_id, day, count, through)
      SELECT CAST(${source.id} AS TEXT), day, count, SUM(count) OVER (ORDER BY day) + ${throughBefore(from)}
      FROM (${counted}) AS counted ${ONE_PLAN}`.compile(ctx.tx),
    // Later days move by as much as the counted ones have changed.
    sql`UPDATE release_days SET through = through + moved.by
      FROM (SELECT ${throughBefore(to)} - ${throughBeforeLater} AS by) AS moved
      WHERE source_id = ${source.id} AND day >= ${to} AND moved.by <> 0 ${ONE_PLAN}`.compile(ctx.tx),
  ];
}

// What a caller knows of the source, so that what is usually read for its latest version is read along with its figures:
// its rules, the package of its newest release, and when the last of its releases was added, where that is one of those just
// written and nothing else has changed.
interface ExpectedLatest {
  rules: Pick<SourceRow, 'settings'>;
  packagePart: string | null;
  added: string | undefined;
}

interface LatestRead {
  newest: readonly NewestRow[];
  highest: readonly VersionRow[];
  packagePart: string | null;
}

function latestStatements(
  ctx: WriteContext,
  source: CountedSource,
  { rules, packagePart }: ExpectedLatest,
): CompiledQuery<unknown>[] {
  const { ignore } = versionPatterns(rules);
  return [
    newestVersions(ctx, source, { ignore, stable: true }).compile(),
    highestVersions(ctx, { sourceId: source.id, packagePart, below: null }).compile(),
  ];
}

// The newest stable release determines the package and scheme; the result is the highest version among those.
async function latestVersion(
  ctx: WriteContext,
  source: CountedSource,
  { rules, read }: { rules: Pick<SourceRow, 'settings' | 'version_scheme'>; read: LatestRead | undefined },
): Promise<string | null> {
  const { ignore } = versionPatterns(rules);
  const counts = ({ version }: NewestRow) => !ignore.some((pattern) => pattern.test(version ?? ''));
  const stable = read?.newest ?? (await newestVersions(ctx, source, { ignore, stable: true }).execute());
  const newest =
    stable.find(counts) ?? (await newestVersions(ctx, source, { ignore, stable: false }).execute()).find(counts);
  if (!newest?.version_sort) return newest?.version ?? null;
  const setting = schemeSetting(rules);
  const schemeOf = (key: string) => schemeOfKey(key, setting);
  const scheme = schemeOf(newest.version_sort);
  const listing = source.visible ? 2 : -2;
  const present = now(ctx);
  let best: VersionRow | null = null;
  const first = read?.packagePart === newest.package_part ? read.highest : null;
  for await (const row of versionsFromHighest(ctx, { sourceId: source.id, packagePart: newest.package_part }, first)) {
    if (best && row.version_sort !== best.version_sort) break;
    const isCounted = row.listing === listing && row.feed_at <= present && row.prerelease <= newest.prerelease;
    if (!isCounted || row.version_sort === null || schemeOf(row.version_sort) !== scheme) continue;
    if (!best || row.feed_at > best.feed_at || (row.feed_at === best.feed_at && row.id > best.id)) best = row;
  }
  return best?.version ?? newest.version;
}

type VersionRow = Pick<ReleaseRow, 'id' | 'version' | 'version_sort' | 'listing' | 'feed_at' | 'prerelease'>;

interface VersionsOf {
  sourceId: string;
  packagePart: string | null;
}

async function* versionsFromHighest(
  ctx: WriteContext,
  of: VersionsOf,
  first: readonly VersionRow[] | null,
): AsyncIterable<VersionRow> {
  let page = first ?? (await highestVersions(ctx, { ...of, below: null }).execute());
  for (;;) {
    yield* page;
    if (page.length < PAGE) return;
    page = await highestVersions(ctx, { ...of, below: page.at(-1)?.version_sort ?? null }).execute();
  }
}

// The conditions use only the version index, so that the walk from the top can stop at the first match.
function highestVersions(ctx: WriteContext, { sourceId, packagePart, below }: VersionsOf & { below: string | null }) {
  const ofPackage = ctx.tx
    .selectFrom('releases')
    .select(['id', 'version', 'version_sort', 'listing', 'feed_at', 'prerelease'])
    .where('source_id', '=', sourceId)
    .where('package_part', packagePart === null ? 'is' : '=', packagePart)
    .where('version_sort', 'is not', null);
  const page = below === null ? ofPackage : ofPackage.where('version_sort', '<', below);
  return page.orderBy(inVersionOrder('releases', 'DESC')).limit(sql.lit(PAGE)).modifyEnd(ONE_PLAN);
}

// The search for the latest version stops after this many versions that do not count.
const MAX_EXAMINED = 500;

type NewestRow = Pick<ReleaseRow, 'version' | 'version_sort' | 'package_part' | 'prerelease'>;

function newestVersions(
  ctx: WriteContext,
  source: CountedSource,
  { ignore, stable }: { ignore: readonly Pattern[]; stable: boolean },
) {
  let query = countedReleases(ctx, source)
    .select(['version', 'version_sort', 'package_part', 'prerelease'])
    .where('version', 'is not', null);
  if (stable) query = query.where('prerelease', '=', 0);
  return query
    .orderBy('feed_at', 'desc')
    .orderBy('feed_version', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(ignore.length === 0 ? 1 : MAX_EXAMINED))
    .modifyEnd(ONE_PLAN);
}

// The number of an org's visible sources and releases, stored on its row so that the org list can exclude empty orgs by
// index and the totals of the registry are a sum over orgs.
export async function refreshOrgCount(ctx: WriteContext, orgId: string | null): Promise<void> {
  if (orgId === null) return;
  // Sources of one org are written concurrently; without the lock an older sum could overwrite a newer one.
  const locked = ctx.store.dialect.lock(ctx.tx, `org:${orgId}`);
  const counted = sql`UPDATE orgs SET release_count = totals.releases, source_count = totals.sources
    FROM (SELECT COUNT(*) AS sources, COALESCE(SUM(f.release_count), 0) AS releases FROM sources AS s
      LEFT JOIN source_figures AS f ON f.source_id = s.id LEFT JOIN products AS p ON p.id = s.product_id
      WHERE s.org_id = ${orgId} AND s.deleted_at IS NULL AND s.is_hidden = 0
        AND (p.is_hidden IS NULL OR p.is_hidden = 0)) AS totals
    WHERE orgs.id = ${orgId}`.execute(ctx.tx);
  await together([locked, counted]);
}
