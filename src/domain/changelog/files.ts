// Which files of a repository, or of a package on disk, are changelogs, by name alone.
import { createHash } from 'node:crypto';
import { cleanLongText } from '../clean-text.ts';
import { decodeText } from '../html/decode.ts';
import type { ChangelogFormat } from './entries.ts';
import { isGuideName } from './guide-names.ts';

// In the order of preference.
export const CANONICAL_NAMES: readonly string[] = [
  'changelog.md',
  'changes.md',
  'history.md',
  'releases.md',
  'news.md',
];

const STEM = /^(?:changelog|changes|history|releases|news)(?:\.(?:rst|txt|ya?ml))?$/;

const IGNORED_FOLDERS = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'third_party', '.yarn', 'dist', 'build', 'out', '.next', '.nuxt'],
  ...['coverage', 'fixtures', 'testdata', 'example', 'examples'],
]);

type ChangelogKind = 'canonical' | 'other' | 'guide';

// The kind of changelog that a file name stands for; null when it is none. Only `guide` files hold no entries.
export function changelogKind(filename: string): ChangelogKind | null {
  const name = filename.toLowerCase();
  if (CANONICAL_NAMES.includes(name)) return 'canonical';
  if (STEM.test(name)) return 'other';
  return isGuideName(filename) ? 'guide' : null;
}

export function isIgnoredFolder(name: string): boolean {
  return IGNORED_FOLDERS.has(name.toLowerCase());
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

// The folder of a file, empty at the root.
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

const BINARY_WINDOW = 8000;

// The text with `\n` as line end; null for a file that is no text.
export function changelogText(bytes: Uint8Array): string | null {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!wide && bytes.subarray(0, BINARY_WINDOW).includes(0)) return null;
  return cleanLongText(decodeText(bytes).replace(/^\ufeff/, '')).replace(/\p{Surrogate}/gu, '\ufffd');
}

// Undefined when only the text itself can show the format.
export function formatOf(path: string): ChangelogFormat | undefined {
  const suffix = /\.[a-z]+$/i.exec(path)?.[0].toLowerCase();
  if (suffix === '.md') return 'markdown';
  return suffix === '.rst' ? 'rst' : undefined;
}

// The hash under which git knows these bytes.
export function blobHash(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
