// One set of rules for both questions: which subscriptions an event matches, and which events a subscription matches.
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Context, queries } from '../context.ts';
import {
  type EventInfo,
  eventFacts,
  isLate,
  looksInside,
  passesFilters,
  releaseFacts,
} from '../domain/webhooks/filters.ts';
import { packageOfRelease } from '../packages/listings/of-release.ts';
import type { EventRow, ReleaseRow } from '../store/schema/releases.ts';
import type { WebhookSubscriptionRow } from '../store/schema/webhooks.ts';

type EventOwner = Pick<EventRow, 'ts' | 'release_id' | 'org_id' | 'product_id' | 'source_id' | 'payload'>;

// The columns of filters that look at the release.
const FILTER_COLUMNS = [
  'release_type',
  'exclude_prereleases',
  'min_breaking',
  'min_importance',
  'security',
] as const satisfies (keyof WebhookSubscriptionRow)[];

// Returns for each event the ids of enabled subscriptions that existed when it happened; later ones get it by replay alone. A
// source without an org reaches only the stream.
export async function subscriptionsForEach(ctx: Context, events: readonly EventOwner[]): Promise<string[][]> {
  const candidates = await candidatesForEach(ctx, events);
  return events.map((event, index) => {
    const rows = candidates[index] ?? [];
    if (rows.length === 0) return [];
    const facts = eventFacts(event.payload);
    return idsOfRows(rows.filter((row) => passesFilters(row, facts)));
  });
}

// Returns for each event the ids of those whose filter by meaning its release passes as it is judged today, and did not when
// it was announced.
export async function newlyPassing(
  ctx: Context,
  events: readonly EventOwner[],
  releases: ReadonlyMap<string, ReleaseRow>,
): Promise<string[][]> {
  const candidates = await candidatesForEach(ctx, events);
  return events.map((event, index) => {
    const release = releases.get(event.release_id);
    if (!release) return [];
    const [then, today] = [eventFacts(event.payload), releaseFacts(release)];
    const rows = (candidates[index] ?? []).filter((row) => isLate(row, then, today));
    return idsOfRows(rows);
  });
}

function idsOfRows(rows: readonly { id: string }[]): string[] {
  return [...new Set(rows.map(({ id }) => id))].sort();
}

// The enabled subscriptions that ask for the owner of each event.
async function candidatesForEach(ctx: Context, events: readonly EventOwner[]) {
  const named = Map.groupBy(await namingOrgs(ctx, idsOf(events, 'org_id')), (row) => row.org_id);
  const following = Map.groupBy(
    [
      ...(await followersOf(ctx, 'org', idsOf(events, 'org_id'))),
      ...(await followersOf(ctx, 'product', idsOf(events, 'product_id'))),
    ],
    (row) => row.target_id,
  );
  const ids = [...new Set(events.map(({ release_id }) => release_id))];
  const ofPackages = Map.groupBy(await packageFollowers(ctx, ids), (row) => row.release_id);
  const ofStacks = Map.groupBy(await stackOwners(ctx, ids), (row) => row.release_id);
  return events.map((event) => {
    const happenedAt = new Date(event.ts).toISOString();
    const byPackage = [
      ...(ofPackages.get(event.release_id) ?? []).filter((row) => row.followed_at <= happenedAt),
      ...(ofStacks.get(event.release_id) ?? []),
    ].filter((row) => row.created_at <= happenedAt);
    if (event.org_id === null) return byPackage;
    return [
      ...byPackage,
      ...(named.get(event.org_id) ?? []).filter((row) => matchesOwner(row, event)),
      ...[event.org_id, event.product_id ?? '']
        .flatMap((target) => following.get(target) ?? [])
        .filter((row) => row.followed_at <= happenedAt),
    ].filter((row) => row.created_at <= happenedAt);
  });
}

function idsOf(events: readonly EventOwner[], column: 'org_id' | 'product_id'): string[] {
  return [...new Set(events.flatMap((event) => event[column] ?? []))];
}

async function namingOrgs(ctx: Context, orgIds: readonly string[]) {
  if (orgIds.length === 0) return [];
  return queries(ctx)
    .selectFrom('webhook_subscriptions')
    .select(['id', 'org_id', 'source_id', 'product_id', 'created_at', ...FILTER_COLUMNS])
    .where('org_id', 'in', orgIds)
    .where('enabled', '=', 1)
    .execute();
}

function matchesOwner(
  { source_id, product_id }: Pick<WebhookSubscriptionRow, 'source_id' | 'product_id'>,
  event: EventOwner,
): boolean {
  return (
    (source_id === null || source_id === event.source_id) && (product_id === null || product_id === event.product_id)
  );
}

async function followersOf(ctx: Context, type: 'org' | 'product', targetIds: readonly string[]) {
  if (targetIds.length === 0) return [];
  return queries(ctx)
    .selectFrom('follows as f')
    .innerJoin('webhook_subscriptions as s', 's.user_id', 'f.user_id')
    .select(['s.id', 's.created_at', ...FILTER_COLUMNS.map((column) => `s.${column}` as const)])
    .select(['f.target_id', 'f.created_at as followed_at'])
    .where('f.target_type', '=', type)
    .where('f.target_id', 'in', targetIds)
    .where('s.scope', '=', 'follows')
    .where('s.enabled', '=', 1)
    .execute();
}

// Webhooks of accounts that follow a package of these releases.
async function packageFollowers(ctx: Context, releaseIds: readonly string[]) {
  if (releaseIds.length === 0) return [];
  return queries(ctx)
    .selectFrom('releases as r')
    .innerJoin('packages as m', 'm.source_id', 'r.source_id')
    .innerJoin('follows as f', (join) =>
      join.on('f.target_type', '=', 'package').on(sql<boolean>`f.target_id = m.ecosystem || ':' || m.name`),
    )
    .innerJoin('webhook_subscriptions as s', 's.user_id', 'f.user_id')
    .select(['s.id', 's.created_at', ...FILTER_COLUMNS.map((column) => `s.${column}` as const)])
    .select(['r.id as release_id', 'f.created_at as followed_at'])
    .where('r.id', 'in', releaseIds)
    .where(packageOfRelease())
    .where('s.scope', '=', 'follows')
    .where('s.enabled', '=', 1)
    .execute();
}

// Webhooks of stacks that have a package of these releases in a lower version.
async function stackOwners(ctx: Context, releaseIds: readonly string[]) {
  if (releaseIds.length === 0) return [];
  return queries(ctx)
    .selectFrom('releases as r')
    .innerJoin('packages as m', 'm.source_id', 'r.source_id')
    .innerJoin('stack_packages as k', (join) =>
      join.onRef('k.ecosystem', '=', 'm.ecosystem').onRef('k.name', '=', 'm.name'),
    )
    .innerJoin('webhook_subscriptions as s', 's.stack_id', 'k.stack_id')
    .select(['s.id', 's.created_at', ...FILTER_COLUMNS.map((column) => `s.${column}` as const)])
    .select('r.id as release_id')
    .where('r.id', 'in', releaseIds)
    .where(packageOfRelease())
    .where(IS_ABOVE)
    .where('s.enabled', '=', 1)
    .execute();
}

const IS_ABOVE = sql<boolean>`(k.version_sort IS NULL OR r.version_sort > k.version_sort)`;

export type SubscriptionScope = Pick<
  WebhookSubscriptionRow,
  'scope' | 'user_id' | 'org_id' | 'source_id' | 'product_id' | 'stack_id' | (typeof FILTER_COLUMNS)[number]
>;

interface EventWindow {
  // Both bounds are inclusive, in milliseconds since 1970.
  since: number;
  until: number;
  // The last event of the page before.
  after?: { ts: number; seq: number };
  limit: number;
}

export type MatchedEvent = Pick<EventRow, 'id' | 'seq' | 'ts' | 'release_id'> & {
  // The release passes only as it is judged today.
  isLate: boolean;
};

interface MatchedEvents {
  events: MatchedEvent[];
  // The position to continue after; null when there are no more events.
  next: { ts: number; seq: number } | null;
}

// The events of a subscription, oldest first. A page may hold fewer events than requested and still have a next one, because
// some rules are checked after the query.
export async function eventsFor(ctx: Context, scope: SubscriptionScope, window: EventWindow): Promise<MatchedEvents> {
  const { since, until, after, limit } = window;
  const inside = looksInside(scope);
  let query = queries(ctx)
    .selectFrom('events as e')
    .select(['e.id', 'e.seq', 'e.ts', 'e.release_id', 'e.org_id', 'e.product_id'])
    .$if(inside, (read) => read.select('e.payload'))
    .where('e.ts', '>=', since)
    .where('e.ts', '<=', until)
    .where(matching(scope))
    .orderBy('e.ts')
    .orderBy('e.seq')
    .limit(limit);
  if (after) query = query.where((eb) => eb(eb.refTuple('e.ts', 'e.seq'), '>', eb.tuple(after.ts, after.seq)));
  const rows = await query.execute();
  const wasFollowed = await followTimes(ctx, scope);
  const today = inside ? await factsToday(ctx, rows) : new Map<string, EventInfo>();
  const last = rows.at(-1);
  return {
    events: rows.filter(wasFollowed).flatMap(({ id, seq, ts, release_id, payload = '{}' }) => {
      if (!inside) return { id, seq, ts, release_id, isLate: false };
      const then = eventFacts(payload);
      const late = !passesFilters(scope, then);
      if (late && !isLate(scope, then, today.get(release_id) ?? then)) return [];
      return { id, seq, ts, release_id, isLate: late };
    }),
    next: rows.length === limit && last ? { ts: last.ts, seq: last.seq } : null,
  };
}

async function factsToday(ctx: Context, events: readonly Pick<EventRow, 'release_id'>[]) {
  const ids = events.map((event) => event.release_id);
  if (ids.length === 0) return new Map<string, EventInfo>();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'type', 'prerelease', 'breaking', 'importance', 'security', 'proven'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, releaseFacts(row)]));
}

function matching(scope: SubscriptionScope): Expression<SqlBool> {
  if (scope.scope === 'follows') return followedBy(scope);
  return scope.scope === 'stack' ? inStack(scope) : inScope(scope);
}

function inStack({ stack_id }: SubscriptionScope): Expression<SqlBool> {
  // The order of the join is given: SQLite could read the whole stack for each event.
  return sql<SqlBool>`EXISTS (SELECT 1 FROM releases r CROSS JOIN packages m CROSS JOIN stack_packages k
    WHERE r.id = e.release_id AND m.source_id = r.source_id AND k.ecosystem = m.ecosystem AND k.name = m.name
      AND k.stack_id = ${stack_id} AND ${packageOfRelease()} AND ${IS_ABOVE})`;
}

function inScope({ org_id, source_id, product_id }: SubscriptionScope): Expression<SqlBool> {
  const conditions = [sql<SqlBool>`e.org_id = ${org_id}`];
  if (source_id !== null) conditions.push(sql<SqlBool>`e.source_id = ${source_id}`);
  if (product_id !== null) conditions.push(sql<SqlBool>`e.product_id = ${product_id}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
}

function followedBy({ user_id }: SubscriptionScope): Expression<SqlBool> {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM follows f WHERE f.user_id = ${user_id} AND (
    (f.target_type = 'org' AND f.target_id = e.org_id) OR (f.target_type = 'product' AND f.target_id = e.product_id)
    OR (f.target_type = 'package' AND EXISTS (SELECT 1 FROM releases r JOIN packages m ON m.source_id = r.source_id
      WHERE r.id = e.release_id AND f.target_id = m.ecosystem || ':' || m.name AND ${packageOfRelease()}))))`;
}

type FollowCheck = (event: Pick<EventRow, 'ts' | 'org_id' | 'product_id'>) => boolean;

// A follow made after the event does not count. The check is not in SQL, because the
// engines have no common expression that compares the two timestamps.
async function followTimes(ctx: Context, { scope, user_id }: SubscriptionScope): Promise<FollowCheck> {
  if (scope !== 'follows') return () => true;
  const rows = await queries(ctx)
    .selectFrom('follows')
    .select(['target_id', 'created_at'])
    .where('user_id', '=', user_id ?? '')
    .execute();
  const since = new Map(rows.map((row) => [row.target_id, Date.parse(row.created_at)]));
  const counts = (target: string | null, ts: number) => target !== null && (since.get(target) ?? Infinity) <= ts;
  // Which package an event is about is known to the query alone, so any that was followed by then counts.
  const packages = [...since].filter(([target]) => target.includes(':'));
  return ({ ts, org_id, product_id }) =>
    counts(org_id, ts) || counts(product_id, ts) || packages.some(([, at]) => at <= ts);
}
