// Reads how far the stored versions of packages reach, for all questions of a call together.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { isBelow } from '../../domain/upgrade/bounds.ts';
import { type HistoryFacts, historyGaps, isFirstNumber, saysItIsFirst } from '../../domain/upgrade/history.ts';
import type { History, PackageQuestion } from './questions.ts';
import type { UpgradeRange, UpperBound } from './ranges.ts';
import { readStored, type StoredHistory } from './stored-history.ts';

export interface HistoryRequest extends PackageQuestion {
  range: UpgradeRange;
  upper: UpperBound;
}

// The histories in the order of the questions.
export async function readHistories(ctx: Context, requested: readonly HistoryRequest[]): Promise<History[]> {
  const stored = await readStored(ctx, requested);
  const words = await idsOfFirst(
    ctx,
    requested.flatMap(({ range }, slot) => unsureFirst(range, elementAt(stored, slot))),
  );
  return requested.map((question, slot) => {
    const found = elementAt(stored, slot);
    const gaps = historyGaps(factsOf(question, found, words), ctx.clock());
    const { checkedAt, tracked } = question.of.source;
    const versions = { lowest: found.lowest?.version ?? null, highest: found.highest?.version ?? null };
    const complete = !gaps.ends && !gaps.begins && !gaps.missing.from && !gaps.missing.to;
    return { ...gaps, shape: { ...versions, checkedAt, tracked, complete } };
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
): HistoryFacts {
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
