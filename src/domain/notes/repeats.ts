// Whether a summary only repeats what the notes say themselves.
import { unmark } from '../clean-text.ts';
import { inline } from './inline.ts';

const MAX_READ = 24_000;

// References inside a sentence and a verb that its heading gave it leave some groups of words unmatched.
const ENOUGH = 0.6;
const GROUP = 3;

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function repeatsNotes(summary: string, content: string): boolean {
  const text = content.slice(0, MAX_READ);
  // Most clauses were taken from the notes as they stand there; the others are compared word by word.
  const others = summary.split(/;\s+|(?<=[.!?])\s+(?=\p{Lu})/u).filter((clause) => !stands(clause, text));
  if (others.length === 0) return true;
  const said = ` ${words(unmark(inline(text))).join(' ')} `;
  return others
    .map(words)
    .filter((clause) => clause.length > 0)
    .every((clause) => isSaid(clause, said));
}

// Whether the clause stands in the text as it is, and not within longer words.
function stands(clause: string, text: string): boolean {
  const at = text.indexOf(clause);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(`${text.charAt(at - 1)} ${text.charAt(at + clause.length)}`);
}

function isSaid(clause: readonly string[], said: string): boolean {
  const size = Math.min(GROUP, clause.length);
  const groups = clause.slice(size - 1).map((_, at) => ` ${clause.slice(at, at + size).join(' ')} `);
  return groups.filter((group) => said.includes(group)).length >= ENOUGH * groups.length;
}
