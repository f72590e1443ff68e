// Texts that stand for a caller: made at random, and stored as a hash alone.
import { createHash, timingSafeEqual } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

// Both are hex hashes of equal length, so the time says nothing about where they differ.
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function randomBase62(length: number, randomBytes: (size: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 4)) {
      // Six bits give 0–63; refusing 62 and 63 keeps every character equally likely.
      if ((byte & 63) < BASE62.length && text.length < length) text += BASE62[byte & 63];
    }
  }
  return text;
}
