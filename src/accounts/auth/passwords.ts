// Which passwords are accepted. Length counts characters as people see them in a field, whatever they are.
import { passwordStrength } from './password-strength.ts';

const SHORTEST = 10;
const LONGEST = 128;

// The sign-in library counts in code units, of which a character may have several.
export const CODE_UNITS = { fewest: SHORTEST, most: 8 * LONGEST };

// Null when the password may be used.
export async function passwordFault(password: unknown, email: string | null): Promise<string | null> {
  if (typeof password !== 'string') return 'a password is needed';
  const { length } = [...password.slice(0, CODE_UNITS.most)];
  if (length < SHORTEST) return `the password must have at least ${SHORTEST} characters`;
  if (length > LONGEST) return `the password must have at most ${LONGEST} characters`;
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
