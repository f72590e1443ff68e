// Bytes of a changelog file as text, and what the text is written in.
import { createHash } from 'node:crypto';
import type { ChangelogFormat } from '../../../domain/changelog/entries.ts';
import { cleanLongText } from '../../../domain/clean-text.ts';
import { decodeText } from '../../../domain/html/decode.ts';

const BINARY_WINDOW = 8000;

// The text with `\n` as line end; null for a file that is no text.
export function changelogText(bytes: Uint8Array): string | null {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!wide && bytes.subarray(0, BINARY_WINDOW).includes(0)) return null;
  return cleanLongText(decodeText(bytes).replace(/^\ufeff/, '')).replace(/\p{Surrogate}/gu, '\ufffd');
}

// Undefined where only the text itself can tell.
export function formatOf(path: string): ChangelogFormat | undefined {
  const suffix = /\.[a-z]+$/i.exec(path)?.[0].toLowerCase();
  if (suffix === '.md') return 'markdown';
  return suffix === '.rst' ? 'rst' : undefined;
}

// The hash under which git knows these bytes.
export function blobHash(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
