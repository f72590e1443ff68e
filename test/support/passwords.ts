// Passwords hashed like those of the service, in the same format, at the lowest cost of scrypt: at full cost hashing
// took most of the time of all tests that sign in.
import { randomBytes, scryptSync } from 'node:crypto';
import type { Passwords } from '../../src/context.ts';

function keyOf(password: string, salt: string): string {
  return scryptSync(password.normalize('NFKC'), salt, 64, { N: 2, r: 1, p: 1 }).toString('hex');
}

export const QUICK_PASSWORDS: Passwords = {
  hash: async (password) => {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${keyOf(password, salt)}`;
  },
  verify: async ({ hash, password }) => {
    const [salt = '', key] = hash.split(':');
    return keyOf(password, salt) === key;
  },
};
