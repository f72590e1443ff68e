// Whether a summary only repeats what the notes say themselves.
import { unmark } from './code-marks.ts';
import { inline } from './inline.ts';

const MOST_READ = 24_000;

// References inside a sentence and a verb that its heading gave it leave some groups of words unmatched.
const ENOUGH = 0.6;
const GROUP = 3;

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function repeatsNotes(summary: string, content: string): boolean {
  const said = ` ${words(unmark(inline(content.slice(0, MOST_READ)))).join(' ')} `;
  return summary
    .split(/;\s+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map(words)
    .filter((clause) => clause.length > 0)
    .every((clause) => isSaid(clause, said));
}

function isSaid(clause: readonly string[], said: string): boolean {
  const size = Math.min(GROUP, clause.length);
  const groups = clause.slice(size - 1).map((_, at) => ` ${clause.slice(at, at + size).join(' ')} `);
  return groups.filter((group) => said.includes(group)).length >= ENOUGH * groups.length;
}
