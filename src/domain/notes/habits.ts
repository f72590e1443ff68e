// Writing habits of a source, counted over its releases: a sentence that most releases repeat is not about any one of them,
// and where fixes have warning signs the sign announces no breaking change.
import { CODE_CLOSE, CODE_OPEN } from '../clean-text.ts';

export type Habits = {
  // The sentences that most releases repeat, reduced to letters.
  repeated: ReadonlySet<string>;
  warnsOfFixes: boolean;
};

export const NO_HABITS: Habits = { repeated: new Set(), warnsOfFixes: false };

const MIN_RELEASES = 6;
const MAX_RELEASES = 200;
const MIN_LINE_LENGTH = 24;
const MAX_LINE_LENGTH = 600;
const MIN_WARNINGS = 3;
const WARNED = /^[\s*+-]{0,8}(?:⚠️?|:warning:)\s{0,4}(.{0,200})$/gmu;

// Reads the bodies of a source's releases, newest first. A few releases are not enough to make a habit.
export function readHabits(bodies: readonly string[]): Habits {
  const read = bodies.slice(0, MAX_RELEASES);
  if (read.length < MIN_RELEASES) return NO_HABITS;
  const counts = new Map<string, number>();
  let warnings = 0;
  let fixes = 0;
  for (const body of read) {
    for (const line of new Set(linesOf(body))) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [, text = ''] of body.matchAll(WARNED)) {
      warnings += 1;
      if (/^\W{0,6}(?:bug ?)?fix/i.test(text)) fixes += 1;
    }
  }
  const most = read.length / 2;
  const repeated = [...counts].filter(([, count]) => count > most).map(([line]) => line);
  return { repeated: new Set(repeated), warnsOfFixes: warnings >= MIN_WARNINGS && fixes * 2 >= warnings };
}

export function habitsToJson({ repeated, warnsOfFixes }: Habits): string {
  return JSON.stringify({ repeated: [...repeated].sort(), warnsOfFixes });
}

export function habitsFromJson(text: string): Habits {
  const { repeated, warnsOfFixes } = JSON.parse(text) as { repeated: string[]; warnsOfFixes: boolean };
  return { repeated: new Set(repeated), warnsOfFixes };
}

export function isHabitual({ repeated }: Habits, text: string): boolean {
  return repeated.size > 0 && repeated.has(lettersOf(text));
}

// The paragraphs and list items of a body, reduced to letters. Wrapped lines are joined.
function linesOf(body: string): string[] {
  return body
    .split(/\n\s*\n|\n(?=\s{0,12}[-*+#>] )/)
    .map(lettersOf)
    .filter((line) => line.length >= MIN_LINE_LENGTH);
}

function lettersOf(text: string): string {
  return text
    .slice(0, MAX_LINE_LENGTH)
    .replace(/\]\([^)]{0,200}\)/g, '')
    .replaceAll(CODE_OPEN, '')
    .replaceAll(CODE_CLOSE, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');
}
