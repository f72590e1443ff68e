// How much of a range fits into an answer. Tokens are estimated as characters / 4.

export const MIN_COST = 64;
export const MAX_ENTRIES = 300;
export const DEFAULT_TOKENS = 20_000;
export const BATCH_TOKENS = 40_000;

interface EntryText {
  title: string;
  summary: string;
  excerpt?: string;
  migrationNotes: string | null;
}

export function entryCost({ title, summary, excerpt = '', migrationNotes }: EntryText): number {
  const characters = title.length + summary.length + excerpt.length + (migrationNotes?.length ?? 0);
  return Math.max(MIN_COST, Math.ceil(characters / 4));
}

// The most entries that are worth reading for a budget: one more than can fit.
export function entriesWorthReading(budget: number): number {
  return Math.min(MAX_ENTRIES, Math.floor(budget / MIN_COST) + 1) + 1;
}

interface OrderedEntry {
  cost: number;
  // The sort key of the entry.
  key: string;
}

// How many of the newest entries fit. Entries with an equal key stay together, because a later call can only begin between
// two keys; only the newest key may be cut, and its first entry never is.
export function countFitting(newestFirst: readonly OrderedEntry[], budget: number, most: number = MAX_ENTRIES): number {
  let fitting = 0;
  let spent = 0;
  for (const group of groupsOf(newestFirst)) {
    const cost = group.reduce((total, entry) => total + entry.cost, 0);
    if (spent + cost <= budget && fitting + group.length <= most) {
      fitting += group.length;
      spent += cost;
    } else return fitting === 0 ? countOfNewest(group, budget, most) : fitting;
  }
  return fitting;
}

function countOfNewest(group: readonly OrderedEntry[], budget: number, most: number): number {
  let spent = 0;
  const over = group.findIndex(({ cost }, index) => {
    spent += cost;
    return index > 0 && (spent > budget || index >= most);
  });
  return over === -1 ? group.length : over;
}

function groupsOf(entries: readonly OrderedEntry[]): OrderedEntry[][] {
  const groups: OrderedEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0]?.key === entry.key) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

// Divides a budget evenly; what an entry does not need of its share goes to the others.
export function evenShares(needs: readonly number[], budget: number): number[] {
  const order = needs.map((_, index) => index).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  const shares = needs.map(() => 0);
  let left = budget;
  for (const [position, index] of order.entries()) {
    const share = Math.floor(left / (order.length - position));
    shares[index] = share;
    left -= Math.min(share, needs[index] ?? 0);
  }
  return shares;
}

// What an answer still says about the breaks that it leaves out: each is named, and that is paid for before the entries.

const MIN_BREAK_COST = 16;
const MAX_STEP_LENGTH = 300;
const HEADING_OR_FENCE = /^\s*(?:#{1,6}(?:\s|$)|`{3}|~{3})/;

// The first line of migration notes that says something.
export function firstStep(notes: string | null): string | null {
  const line = notes?.split('\n').find((one) => one.trim() !== '' && !HEADING_OR_FENCE.test(one));
  return line === undefined ? null : line.trim().slice(0, MAX_STEP_LENGTH).toWellFormed();
}

export function breakCost({ title, step }: { title: string; step: string | null }): number {
  return Math.max(MIN_BREAK_COST, Math.ceil((title.length + (step?.length ?? 0)) / 4));
}

interface NamedEntry extends OrderedEntry {
  id: string;
}

// How many of the newest entries fit when each break among the others is named. `breaks` holds the cost of naming each
// break of the range; one whose entry is included need not be named.
export function countBesideBreaks(
  newestFirst: readonly NamedEntry[],
  breaks: ReadonlyMap<string, number>,
  budget: number,
): number {
  const naming = [...breaks.values()].reduce((sum, cost) => sum + cost, 0);
  const entries = newestFirst.map(({ id, key, cost }) => ({ key, cost: cost - (breaks.get(id) ?? 0) }));
  return countFitting(entries, budget - naming);
}
