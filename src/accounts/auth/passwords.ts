// Which passwords are accepted. Length counts characters as people see them in a field, whatever they are.
import { besideCaller } from '../../threads/beside-caller.ts';
import { ThreadCalls } from '../../threads/calls.ts';

const MIN_LENGTH = 10;
const MAX_LENGTH = 128;

// The sign-in library counts in code units, of which a character may have several.
export const CODE_UNITS = { fewest: MIN_LENGTH, most: 8 * MAX_LENGTH };

// Null when the password may be used.
export async function passwordFault(password: unknown, email: string | null): Promise<string | null> {
  if (typeof password !== 'string') return 'a password is needed';
  const { length } = [...password.slice(0, CODE_UNITS.most)];
  if (length < MIN_LENGTH) return `the password must have at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `the password must have at most ${MAX_LENGTH} characters`;
  const plain = password.toLowerCase();
  if (email !== null && plain === email.toLowerCase()) return 'the password must not be the e-mail address';
  const { guesses, pattern } = await passwordStrength(password, email === null ? [] : [email, ...email.split(/[@.]/)]);
  return guesses > GUESSABLE ? null : `${WEAKNESSES[pattern] ?? WEAKNESSES.bruteforce}; ${ADVICE}`;
}

// This many guesses take seconds with a stolen hash.
const GUESSABLE = 1e8;
const ADVICE = 'use three or four words that have nothing to do with each other';

const WEAKNESSES: Record<string, string> = {
  dictionary: 'the password is a common one, or close to one',
  repeat: 'the password repeats the same characters',
  sequence: 'the password is a sequence, like abcd or 1234',
  spatial: 'the password follows the keys of a keyboard',
  date: 'the password is little more than a date',
  regex: 'the password is little more than a year',
  bruteforce: 'the password is too easy to guess',
};

// How many tries a password would withstand, by an estimate that knows common passwords, repeats, sequences, rows of
// keys and dates. The word lists take a moment to load, so the estimate is made in a thread of its own, which ends when
// nobody has chosen a password for a while.
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

const SCRIPT = besideCaller(import.meta.url, 'password-strength-thread');
// The estimate costs more than linear time, so it sees both ends of a long password instead of all of it.
const PART_LENGTH = 32;
const IDLE_MS = 60_000;

let thread: ThreadCalls | null = null;
let idle: NodeJS.Timeout | null = null;

async function passwordStrength(password: string, known: readonly string[]): Promise<Strength> {
  const requested = thread ?? start();
  if (idle) clearTimeout(idle);
  idle = setTimeout(() => void requested.end(), IDLE_MS).unref();
  return requested.ask<Strength>({ parts: partsOf(password), known });
}

function start(): ThreadCalls {
  const started = new ThreadCalls('passwords', SCRIPT, {
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
