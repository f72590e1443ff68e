// Which passwords are accepted. Length counts characters as people see them in a field, whatever they are.
const SHORTEST = 10;
const LONGEST = 128;

// The sign-in library counts in code units, of which a character may have several.
export const CODE_UNITS = { fewest: SHORTEST, most: 8 * LONGEST };

// Null: it may be used.
export async function passwordFault(password: unknown, email: string | null): Promise<string | null> {
  if (typeof password !== 'string') return 'a password is needed';
  const { length } = [...password.slice(0, CODE_UNITS.most)];
  if (length < SHORTEST) return `the password must have at least ${SHORTEST} characters`;
  if (length > LONGEST) return `the password must have at most ${LONGEST} characters`;
  const plain = password.toLowerCase();
  if (email !== null && plain === email.toLowerCase()) return 'the password must not be the e-mail address';
  return (await commonPasswords()).has(plain) ? 'this password is too common' : null;
}

let common: Promise<ReadonlySet<string>> | null = null;

// Tens of thousands of words, most used first; loaded when somebody first chooses a password.
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = dictionary['passwords-common'] as readonly string[];
    return new Set(words.filter((word) => word.length >= SHORTEST));
  });
  return common;
}
