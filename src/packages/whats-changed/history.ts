// Reads how far the stored versions of packages reach, for all questions of a call together.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { onceEach } from '../../domain/once-each.ts';
import { elementAt } from '../../domain/records.ts';
import { isBelow } from '../../domain/upgrade/bounds.ts';
import {
  type HistoryGaps,
  type HistoryInfo,
  historyGaps,
  isFirstNumber,
  saysItIsFirst,
} from '../../domain/upgrade/history.ts';
import {
  gapsByListing,
  type PublishedRange,
  type PublishedVersion,
  publishedRange,
} from '../../domain/upgrade/published.ts';
import { type SchemeSetting, schemeOfKey } from '../../domain/versions/index.ts';
import { inVersionOrder } from '../../releases/versions.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { Listing } from './listings.ts';
import type { History, PackageQuestion, UpgradeRange, UpperBound } from './questions.ts';
import { asBranch, inPackage, inUnions, isStoredVersion } from './spans.ts';
import { inScheme, type PublishedRequest, publishedVersions } from './versions.ts';

export interface HistoryRequest extends PackageQuestion {
  range: UpgradeRange;
  upper: UpperBound;
  listing: Listing | null;
}

// Whether pre-releases count is known only when the releases of a range are.
type HistoryOf = (includesPrereleases: boolean) => History;

// The histories in the order of the questions.
export async function readHistories(
  ctx: Context,
  requested: readonly HistoryRequest[],
): Promise<(HistoryOf | ApiError)[]> {
  const stored = await readStored(ctx, requested);
  const words = await idsOfFirst(
    ctx,
    requested.flatMap(({ range }, slot) => unsureFirst(range, elementAt(stored, slot))),
  );
  const listed = await listedRanges(ctx, requested);
  return requested.map((question, slot): HistoryOf | ApiError => {
    const known = elementAt(listed, slot);
    if (known instanceof ApiError) return known;
    const found = elementAt(stored, slot);
    const facts = factsOf(question, found, words);
    const { checkedAt, tracked } = question.of.source;
    const versions = { lowest: found.lowest?.version ?? null, highest: found.highest?.version ?? null };
    return (includesPrereleases) => {
      const published = known && publishedRange(known.versions, includesPrereleases);
      const gaps =
        known && published ? gapsByListing(facts, published, known.highest) : historyGaps(facts, ctx.clock());
      const shape = {
        ...versions,
        checkedAt,
        tracked,
        ...listedShape(published),
        complete: isComplete(gaps, published),
      };
      return { ...gaps, shape, withdrawn: published?.withdrawn ?? NOTHING_WITHDRAWN };
    };
  });
}

const NOTHING_WITHDRAWN: ReadonlySet<string> = new Set();

function isComplete({ ends, begins, missing }: HistoryGaps, published: PublishedRange | null): boolean {
  if (ends || begins || missing.from || missing.to) return false;
  return published === null || published.withoutNotesCount === 0;
}

// The keys of a history that a listing answers.
export function listedShape(found: PublishedRange | null) {
  const { published = null, withoutNotes = [], withoutNotesCount = 0 } = found ?? {};
  return { published, withoutNotes, withoutNotesCount };
}

interface ListedRange {
  versions: readonly PublishedVersion[];
  highest: string | null;
}

// What is listed of each range; null while no current listing is known, or when versions have no order.
async function listedRanges(
  ctx: Context,
  requested: readonly HistoryRequest[],
): Promise<(ListedRange | ApiError | null)[]> {
  const wanted = requested.map(({ listing, range, of: { source, part } }): PublishedRequest | null => {
    if (listing === null || range.window?.by !== 'version') return null;
    return { listing, sourceId: source.id, part, visible: source.visible, window: range.window };
  });
  const open = wanted.filter((one) => one !== null);
  const found = await publishedVersions(ctx, open);
  return requested.map(({ listing, range }, slot) => {
    if (listing === null || range.keys === null) return null;
    const request = elementAt(wanted, slot);
    const versions = request === null ? [] : elementAt(found, open.indexOf(request));
    return versions instanceof ApiError ? versions : { versions, highest: listing.highest };
  });
}

// The lowest release, when only its words can tell that nothing came before it.
function unsureFirst({ keys }: UpgradeRange, { lowest }: StoredHistory): string[] {
  const isUnder = keys !== null && lowest?.key != null && isBelow(keys.from, lowest.key);
  return isUnder && !isFirstNumber(lowest.key ?? '') ? [lowest.id] : [];
}

function factsOf(
  { range, upper, of: { source } }: HistoryRequest,
  { lowest, highest, isStored }: StoredHistory,
  firstByWords: ReadonlySet<string>,
): HistoryInfo {
  const { checkedAt, isListed } = source;
  return {
    keys: range.keys,
    isEmpty: highest === null,
    lowest: lowest?.key ? { key: lowest.key, isFirst: isFirstNumber(lowest.key) || firstByWords.has(lowest.id) } : null,
    highest: highest?.key ?? null,
    isStored,
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

// The ends of what is stored of packages, and whether the bounds of ranges are stored; all questions share one statement.

interface StoredEnd {
  id: string;
  version: string | null;
  key: string | null;
}

interface StoredHistory {
  lowest: StoredEnd | null;
  highest: StoredEnd | null;
  isStored: { from: boolean; to: boolean };
}

type Asked = Pick<PackageQuestion, 'of'> & { range: UpgradeRange; upper: UpperBound };

async function readStored(ctx: Context, asked: readonly Asked[]): Promise<StoredHistory[]> {
  const sought = asked.map(soughtFor);
  const all = sought.flatMap(({ lowest, highest, bounds }) => [...lowest, ...highest, ...bounds]);
  const found = await onceEach(all, (distinct) => readRows(ctx, distinct));
  const rows = found.values();
  const take = (list: readonly Sought[]) => list.map(() => rows.next().value ?? null);
  return asked.map(({ range, upper }, slot) => {
    const { lowest, highest, bounds } = elementAt(sought, slot);
    const [low, high, [from, to]] = [firstOf(take(lowest)), firstOf(take(highest)), take(bounds)];
    // `latest` is a stored version.
    const isStored = { from: from !== null, to: upper.by === 'latest' || to !== null };
    return { lowest: low, highest: high, isStored: range.keys === null ? { from: true, to: true } : isStored };
  });
}

function firstOf(ends: readonly (StoredEnd | null)[]): StoredEnd | null {
  return ends.find((end) => end !== null) ?? null;
}

interface Sought {
  sourceId: string;
  part: string | null;
  visible: boolean;
  scheme: SchemeSetting;
  // Null when versions are ordered by time.
  key: string | null;
  // The outermost version of the scheme of the key, or the key itself.
  at: 'lowest' | 'highest' | 'key';
}

// The scheme of the own bound is preferred when the bounds are of two schemes.
function soughtFor({ of: { source, part }, range: { keys }, upper }: Asked) {
  const { id: sourceId, visible, scheme } = source;
  const seek = (at: Sought['at'], key: string | null): Sought => ({ sourceId, part, visible, scheme, key, at });
  if (keys === null) return { lowest: [seek('lowest', null)], highest: [seek('highest', null)], bounds: [] };
  const bounds = [seek('key', keys.from), ...(upper.by === 'latest' ? [] : [seek('key', keys.to)])];
  // All versions of one scheme have the same ends, so equal questions share one branch.
  const [from, to] = [schemeKey(keys.from, scheme), schemeKey(keys.to, scheme)];
  const isMixed = schemeOfKey(keys.from, scheme) !== schemeOfKey(keys.to, scheme);
  return {
    lowest: (isMixed ? [from, to] : [to]).map((key) => seek('lowest', key)),
    highest: (isMixed ? [to, from] : [to]).map((key) => seek('highest', key)),
    bounds,
  };
}

function schemeKey(key: string, scheme: SchemeSetting): string {
  const epoch = key.slice(0, 1 + key.charCodeAt(0) - 64);
  return schemeOfKey(key, scheme) === 'calendar' ? `${epoch}D20002` : `${epoch}A12`;
}

interface StoredRow {
  slot: number;
  id: string;
  version: string | null;
  version_sort: string | null;
}

async function readRows(ctx: Context, sought: readonly Sought[]): Promise<(StoredEnd | null)[]> {
  const found: (StoredEnd | null)[] = sought.map(() => null);
  const rows = await inUnions(ctx, sought, (one, slot) => rowOf(ctx, one, slot), ONE_PLAN);
  for (const { slot, id, version, version_sort } of rows) found[slot] = { id, version, key: version_sort };
  return found;
}

function rowOf(ctx: Context, sought: Sought, slot: number): RawBuilder<StoredRow> {
  const { key, at } = sought;
  const direction = at === 'highest' ? 'DESC' : 'ASC';
  const rows = sql<StoredRow>`SELECT ${sql.lit(slot)} AS slot, r.id, r.version, r.version_sort FROM releases r
    WHERE ${inPackage(ctx, sought)} AND ${isStoredVersion(sought)}`;
  // Rows of one version are the same to the question, so they need no limit.
  if (at === 'key') return sql`${rows} AND r.version_sort = ${key}`;
  return asBranch<StoredRow>(
    key === null
      ? sql`${rows} AND r.version IS NOT NULL AND r.feed_at > '' ORDER BY r.feed_at ${sql.raw(direction)} LIMIT 1`
      : sql`${rows} AND ${inScheme(key, sought)} ORDER BY ${inVersionOrder('r', direction)} LIMIT 1`,
  );
}
