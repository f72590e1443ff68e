// The form of a user API key: `relu_` and 64 letters. A digest of the whole value is stored, and its first characters,
// by which the owner recognizes it.
import { createHash } from 'node:crypto';

export const USER_KEY_PREFIX = 'relu_';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 64;
const SHOWN = 6;
const FORM = /^relu_[A-Za-z]{64}$/;

export function mintUserKey(randomBytes: (size: number) => Uint8Array): string {
  let text = USER_KEY_PREFIX;
  const end = USER_KEY_PREFIX.length + LENGTH;
  while (text.length < end) {
    for (const byte of randomBytes(LENGTH)) {
      // Six bits give 0–63; refusing those beyond the alphabet keeps every letter equally likely.
      if ((byte & 63) < LETTERS.length && text.length < end) text += LETTERS[byte & 63];
    }
  }
  return text;
}

export function isUserKey(value: string): boolean {
  return FORM.test(value);
}

export function startOf(key: string): string {
  return key.slice(0, SHOWN);
}

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
