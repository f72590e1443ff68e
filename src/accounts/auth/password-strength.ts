// How many tries a password would withstand, by an estimate that knows common passwords, repeats, sequences, rows of
// keys and dates. The word lists take a moment to load, so the estimate is made in a thread of its own, which ends when
// nobody has chosen a password for a while.
import { ThreadCalls } from '../../search/vectors/thread-calls.ts';

export interface StrengthQuestion {
  id: number;
  // The estimate looks at no more than this; each part on its own.
  parts: string[];
  // Words that an attacker would try first for this account.
  known: string[];
}

export interface Strength {
  // The number of guesses for the strongest part.
  guesses: number;
  // What the greater part of it was recognized as: `dictionary`, `repeat`, `sequence`, `spatial`, `date`, ...
  pattern: string;
}

// Compiled code loads the compiled script beside it.
const SCRIPT = new URL(`./password-strength-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
// The estimate costs more than linear time, so it sees both ends of a long password instead of all of it.
const PART_LENGTH = 32;
const IDLE_MS = 60_000;

let thread: ThreadCalls | null = null;
let idle: NodeJS.Timeout | null = null;

export async function passwordStrength(password: string, known: readonly string[]): Promise<Strength> {
  const asked = thread ?? start();
  if (idle) clearTimeout(idle);
  idle = setTimeout(() => void asked.end(), IDLE_MS).unref();
  return asked.ask<Strength>({ parts: partsOf(password), known });
}

function start(): ThreadCalls {
  const started = new ThreadCalls(SCRIPT, {
    workerData: null,
    onEnd() {
      if (thread === started) thread = null;
    },
  });
  thread = started;
  return started;
}

function partsOf(password: string): string[] {
  const characters = [...password];
  if (characters.length <= PART_LENGTH) return [password];
  return [characters.slice(0, PART_LENGTH).join(''), characters.slice(-PART_LENGTH).join('')];
}
