// What documents of package registries say in single fields, as strangers write it.
import { cleanLongText, cutText, hasControlCharacter } from '../clean-text.ts';
import { MAX_STATEMENT_LENGTH, MAX_VERSION_LENGTH } from '../published-package.ts';
import { isHttpUrl } from '../urls.ts';

// No package has nearly as many; a longer list is not a package.
export const MAX_VERSIONS = 50_000;

export function isVersionText(text: string): boolean {
  return text !== '' && text.length <= MAX_VERSION_LENGTH && !hasControlCharacter(text) && text.isWellFormed();
}

// Texts of strangers in one line; null when nothing is left.
export function statement(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = cleanLongText(value.slice(0, 4 * MAX_STATEMENT_LENGTH).toWellFormed())
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : cutText(line, MAX_STATEMENT_LENGTH);
}

export function httpUrlOrNull(value: unknown): string | null {
  return typeof value === 'string' && isHttpUrl(value) ? value : null;
}

// A time of the past thirty years, and not later than tomorrow.
export function timeOrNull(value: unknown, now: number): string | null {
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return at > Date.UTC(1996) && at < now + 2 * 86_400_000 ? new Date(at).toISOString() : null;
}
