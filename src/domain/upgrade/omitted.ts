// What an answer still says about the breaks that it leaves out: each is named, and that is paid for before the entries.
import { countFitting } from './budget.ts';

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

interface OrderedEntry {
  id: string;
  cost: number;
  key: string;
}

// How many of the newest entries fit when each break among the others is named. `breaks` holds the cost of naming each
// break of the range; one whose entry is included need not be named.
export function countBesideBreaks(
  newestFirst: readonly OrderedEntry[],
  breaks: ReadonlyMap<string, number>,
  budget: number,
): number {
  const naming = [...breaks.values()].reduce((sum, cost) => sum + cost, 0);
  const entries = newestFirst.map(({ id, key, cost }) => ({ key, cost: cost - (breaks.get(id) ?? 0) }));
  return countFitting(entries, budget - naming);
}
