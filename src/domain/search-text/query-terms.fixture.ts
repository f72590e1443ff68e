import { prefixTerms, type QueryGroup, readWord } from './query-terms.ts';

// A word as typed; `prefix` when it may be unfinished. Null when nothing in it can be looked for.
export function wordGroup(text: string, prefix: boolean): QueryGroup | null {
  const reading = readWord(text, prefix);
  if (reading === null) return null;
  return reading.unfinished === null ? reading.terms : [...reading.terms, ...prefixTerms(reading.unfinished)];
}
