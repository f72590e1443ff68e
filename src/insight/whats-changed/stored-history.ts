// The ends of what is stored of packages, and whether the bounds of ranges are stored; all questions share one statement.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { type SchemeSetting, schemeOfKey } from '../../domain/versions/index.ts';
import { onceEach } from './once-each.ts';
import type { PackageQuestion } from './questions.ts';
import type { UpgradeRange, UpperBound } from './ranges.ts';
import { asBranch, inUnions, isStoredVersion, packageRows } from './spans.ts';
import { LOWEST, ofScheme } from './versions.ts';

interface StoredEnd {
  id: string;
  version: string | null;
  key: string | null;
}

export interface StoredHistory {
  lowest: StoredEnd | null;
  highest: StoredEnd | null;
  isStored: { from: boolean; to: boolean };
}

type Asked = Pick<PackageQuestion, 'of'> & { range: UpgradeRange; upper: UpperBound };

export async function readStored(ctx: Context, asked: readonly Asked[]): Promise<StoredHistory[]> {
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

async function readRows(ctx: Context, sought: readonly Sought[]): Promise<(StoredEnd | null)[]> {
  const rows = await inUnions(sought, (one, slot) => rowOf(ctx, one, slot));
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  return sought.map((_, slot) => {
    const row = bySlot.get(slot);
    return row ? { id: row.id, version: row.version, key: row.version_sort } : null;
  });
}

function rowOf(ctx: Context, sought: Sought, slot: number) {
  const { key, at } = sought;
  const direction = at === 'highest' ? 'desc' : 'asc';
  const stored = packageRows(ctx, sought).where(isStoredVersion(sought));
  const rows =
    key === null
      ? stored.where('r.version', 'is not', null).where('r.feed_at', '>', LOWEST).orderBy('r.feed_at', direction)
      : at === 'key'
        ? stored.where('r.version_sort', '=', key)
        : ofScheme(stored, sought, key).orderBy('r.version_sort', direction);
  return asBranch(ctx, rows.select([sql.lit(slot).as('slot'), 'r.id', 'r.version', 'r.version_sort']).limit(1));
}
