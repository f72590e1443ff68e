// Reads how far the stored versions of packages reach, for all questions of a call together.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { historyGaps, isFirstNumber, saysItIsFirst } from '../../domain/upgrade/history.ts';
import { schemeOfKey } from '../../domain/versions/index.ts';
import { onceEach } from './once-each.ts';
import type { History, PackageQuestion } from './questions.ts';
import type { UpgradeRange, UpperBound } from './ranges.ts';
import { asBranch, coveredListing, inUnions, packageRows, shownListing } from './spans.ts';
import { LOWEST, ofScheme, type PackageOfSource } from './versions.ts';

export interface HistoryRequest extends PackageQuestion {
  range: UpgradeRange;
  upper: UpperBound;
}

// The histories in the order of the questions.
export async function readHistories(ctx: Context, requested: readonly HistoryRequest[]): Promise<History[]> {
  const outer = await onceEach(requested.map(requestedEnds), (distinct) => readEnds(ctx, distinct));
  const facts = requested.map((question, slot) => factsOf(question, elementAt(outer, slot)));
  const gaps = facts.map((given) => historyGaps(given, ctx.clock()));
  const unsure = gaps.flatMap(({ begins }, slot) => (begins ? (outer[slot]?.lowest?.id ?? []) : []));
  const first = await idsOfFirst(ctx, unsure);
  return requested.map(({ of: { source } }, slot) => {
    const { lowest, highest } = elementAt(outer, slot);
    const { ends, begins: unknownBegin } = elementAt(gaps, slot);
    const begins = unknownBegin && !first.has(lowest?.id ?? '');
    const { checkedAt, tracked } = source;
    const versions = { lowest: lowest?.version ?? null, highest: highest?.version ?? null };
    return { ends, begins, shape: { ...versions, checkedAt, tracked, complete: !ends && !begins } };
  });
}

function factsOf({ range, upper, of: { source } }: HistoryRequest, { lowest, highest }: Ends) {
  const { checkedAt, isListed } = source;
  return {
    keys: range.keys,
    isEmpty: highest === null,
    lowest: lowest?.key ? { key: lowest.key, isFirst: isFirstNumber(lowest.key) } : null,
    highest: highest?.key ?? null,
    isOpenEnd: isOpenEnd(range, upper, highest?.key ?? null),
    checkedAt,
    isListed,
  };
}

// Whether the question asks for the newest version: by `latest`, or by a range that also admits versions above the highest
// stored one.
function isOpenEnd({ keys }: UpgradeRange, upper: UpperBound, highest: string | null): boolean {
  if (upper.by !== 'range') return upper.by === 'latest';
  return keys?.to === highest || upper.range.intervals.some(({ upper: edge }) => edge === null);
}

interface EndsRequest {
  of: PackageOfSource;
  // Keys whose schemes count, that of the lower bound first; empty when versions are ordered by time.
  keys: string[];
}

interface HistoryEnd {
  id: string;
  version: string | null;
  key: string | null;
}

interface Ends {
  lowest: HistoryEnd | null;
  highest: HistoryEnd | null;
}

function requestedEnds({ of, range: { keys } }: HistoryRequest): EndsRequest {
  if (keys === null) return { of, keys: [] };
  const isMixed = schemeOfKey(keys.from, of.source.scheme) !== schemeOfKey(keys.to, of.source.scheme);
  // All versions of one scheme have the same ends, so equal questions share one query.
  return { of, keys: isMixed ? [keys.from, keys.to] : [schemeKey(of, keys.to)] };
}

function schemeKey({ source }: PackageOfSource, key: string): string {
  const epoch = key.slice(0, 1 + key.charCodeAt(0) - 64);
  return schemeOfKey(key, source.scheme) === 'calendar' ? `${epoch}D20002` : `${epoch}A12`;
}

interface HistoryBranch {
  slot: number;
  requested: EndsRequest;
  key: string | null;
  direction: 'asc' | 'desc';
  // This scheme wins when both have a version.
  preferred: boolean;
}

async function readEnds(ctx: Context, requested: readonly EndsRequest[]): Promise<Ends[]> {
  const branches = requested.flatMap(branchesOf);
  const rows = await inUnions(branches, ({ requested: { of }, key, direction }, slot) =>
    key === null ? lastInTime(ctx, of, slot, direction) : lastOfScheme(ctx, { of, key, slot, direction }),
  );
  const found = new Map(rows.map((row) => [row.slot, row]));
  const ends = requested.map((): Ends => ({ lowest: null, highest: null }));
  for (const [at, { slot, direction, preferred }] of branches.entries()) {
    const row = found.get(at);
    const side = direction === 'asc' ? 'lowest' : 'highest';
    const end = elementAt(ends, slot);
    if (row && (preferred || end[side] === null))
      end[side] = { id: row.id, version: row.version, key: row.version_sort };
  }
  return ends;
}

function branchesOf(requested: EndsRequest, slot: number): HistoryBranch[] {
  const [low = null, high = low] = requested.keys;
  const directed = (
    direction: HistoryBranch['direction'],
    key: string | null,
    other: string | null,
  ): HistoryBranch[] => {
    const first = { slot, requested, key, direction, preferred: true };
    return key === other ? [first] : [{ ...first, key: other, preferred: false }, first];
  };
  return [...directed('asc', low, high), ...directed('desc', high, low)];
}

function storedRows(ctx: Context, { source, part }: PackageOfSource) {
  // Releases that are covered by another one are stored too.
  return packageRows(ctx, { sourceId: source.id, part }).where('r.listing', 'in', [
    shownListing(source),
    coveredListing(source),
  ]);
}

function lastOfScheme(
  ctx: Context,
  { of, key, slot, direction }: { of: PackageOfSource; key: string; slot: number; direction: 'asc' | 'desc' },
) {
  const rows = ofScheme(storedRows(ctx, of), of.source, key)
    .select([sql.lit(slot).as('slot'), 'r.id', 'r.version', 'r.version_sort'])
    .orderBy('r.version_sort', direction)
    .limit(1);
  return asBranch(ctx, rows);
}

function lastInTime(ctx: Context, of: PackageOfSource, slot: number, direction: 'asc' | 'desc') {
  const rows = storedRows(ctx, of)
    .where('r.version', 'is not', null)
    .where('r.feed_at', '>', LOWEST)
    .select([sql.lit(slot).as('slot'), 'r.id', 'r.version', 'r.version_sort'])
    .orderBy('r.feed_at', direction)
    .limit(1);
  return asBranch(ctx, rows);
}

// The beginning of a note, long enough to see whether it calls itself the first release.
const BEGINNING = 2000;

async function idsOfFirst(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'title', sql<string>`substr(content, 1, ${sql.lit(BEGINNING)})`.as('beginning')])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Set(rows.flatMap(({ id, title, beginning }) => (saysItIsFirst(title, beginning) ? id : [])));
}
