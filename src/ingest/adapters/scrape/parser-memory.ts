// How many entries the pinned parser found last time.
import type { Memory } from '../contract.ts';

const ENTRIES = 'entries';

export function recallParser(parser: string | null, memory: Memory = {}): { parser: string; entries: number } | null {
  if (parser === null) return null;
  const stored = memory[ENTRIES] as { parser: string; entries: number } | undefined;
  // A count of another parser says nothing about this one, which a person may have chosen.
  return { parser, entries: stored?.parser === parser ? stored.entries : 0 };
}

export function rememberParser(parser: string, entries: number): Memory {
  return { [ENTRIES]: { parser, entries } };
}
