// The migration steps of a whole range: the same step of several versions is one, and what breaks most comes first.
import type { BreakingVerdict } from '../../notes/types.ts';

interface StepSource<Entry> {
  entry: Entry;
  breaking: BreakingVerdict;
  steps: readonly string[];
}

interface MergedStep<Entry> {
  text: string;
  // The entries that ask for it, in the order of the range.
  entries: Entry[];
}

const ORDER: Record<BreakingVerdict, number> = { major: 0, minor: 1, unknown: 2, none: 3 };

const sameWords = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export function projectSteps<Entry>(sources: readonly StepSource<Entry>[]): MergedStep<Entry>[] {
  const merged = new Map<string, MergedStep<Entry> & { order: number }>();
  for (const { entry, breaking, steps } of sources) {
    for (const text of steps) {
      const key = sameWords(text);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { text, entries: [entry], order: ORDER[breaking] });
      else {
        if (!known.entries.includes(entry)) known.entries.push(entry);
        known.order = Math.min(known.order, ORDER[breaking]);
      }
    }
  }
  return [...merged.values()]
    .sort((one, other) => one.order - other.order)
    .map(({ text, entries }) => ({ text, entries }));
}
