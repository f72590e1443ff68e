// How many published versions the questions of a call may be about. Each package is counted once, however many ranges of it
// are asked for.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { packageKey } from '../../domain/published-package.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { countUpTo, type KeyedRange, widestRange } from '../../domain/upgrade/rising-keys.ts';
import { countVersions, readSpans } from '../../entities/packages/version-spans.ts';

// Each range of a call costs as much as it has versions. A question by itself is always answered.
const MAX_VERSIONS_OF_CALL = 150_000;

interface ListedRange {
  listing: PackageName;
  window: KeyedRange;
}

// Those of the ranges that are answered together.
export async function withinLimit<R extends ListedRange>(ctx: Context, ranges: readonly R[]): Promise<R[]> {
  if (ranges.length < 2) return [...ranges];
  const packages = await countPackages(ctx, ranges);
  const most = packages.reduce((sum, { ranges, count }) => sum + ranges.length * count, 0);
  if (most <= MAX_VERSIONS_OF_CALL) return [...ranges];
  const counts = await countRanges(ctx, packages);
  let left = MAX_VERSIONS_OF_CALL;
  return ranges.filter((range) => {
    const count = counts.get(range) ?? 0;
    if (count > left) return false;
    left -= count;
    return true;
  });
}

export function tooManyVersions(): ApiError {
  const message = `the questions of this batch are about more than ${MAX_VERSIONS_OF_CALL} published versions: ask this one again, with fewer others`;
  return new ApiError('payload_too_large', message, { limit: MAX_VERSIONS_OF_CALL });
}

interface CountedPackage<R> {
  ranges: R[];
  span: PackageName & { after: string; upTo: string };
  // From the lowest bound of its ranges to the highest one.
  count: number;
}

async function countPackages<R extends ListedRange>(ctx: Context, all: readonly R[]): Promise<CountedPackage<R>[]> {
  const packages = [...Map.groupBy(all, ({ listing }) => packageKey(listing)).values()].map((ranges) => {
    const [{ listing }] = ranges as [R];
    const { ecosystem, name } = listing;
    return { ranges, span: { ecosystem, name, ...widestRange(ranges.map(({ window }) => window)) } };
  });
  const counts = await countVersions(
    ctx,
    packages.map(({ span }) => span),
  );
  return packages.map((one, slot) => ({ ...one, count: counts[slot] ?? 0 }));
}

// The ranges of a package are counted among its keys, which are read for as many packages as a call may be about; in the
// others each range counts as the widest.
async function countRanges<R extends ListedRange>(
  ctx: Context,
  packages: readonly CountedPackage<R>[],
): Promise<Map<R, number>> {
  let left = MAX_VERSIONS_OF_CALL;
  const read = packages.filter(({ ranges, count }) => {
    if (ranges.length === 1 || count > left) return false;
    left -= count;
    return true;
  });
  const spans = read.map(({ span }) => span);
  const rows = await readSpans(ctx, spans, sql<{ version_sort: string }>`v.version_sort`);
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  const keys = new Map(read.map((one, slot) => [one, (bySlot.get(slot) ?? []).map((row) => row.version_sort)]));
  return new Map(
    packages.flatMap((one) => {
      const rising = keys.get(one);
      const countOf = ({ after, upTo }: KeyedRange) =>
        rising === undefined ? one.count : Math.max(0, countUpTo(rising, upTo) - countUpTo(rising, after));
      return one.ranges.map((range): [R, number] => [range, countOf(range.window)]);
    }),
  );
}
