// Normalization of every JSON body before its schema: nulls of a POST, white space and control characters.
import type { Issue } from '../../contract/errors.ts';
import { cleanLongText, hasControlCharacter } from '../../domain/clean-text.ts';

const UNTRIMMED = new Set(['content', 'notes']);
const LONG = new Set(['content', 'notes', 'summary', 'migrationNotes', 'description', 'message']);
// The keys and texts of this field belong to the source, so they are not changed.
const OPAQUE = 'metadata';

interface TidyBody {
  value: unknown;
  issues: Issue[];
}

export function tidyBody(body: unknown, options: { dropNulls: boolean }): TidyBody {
  const issues: Issue[] = [];
  return { value: tidy(body, '', [], { ...options, issues }), issues };
}

interface TidyState {
  dropNulls: boolean;
  issues: Issue[];
}

function tidy(value: unknown, key: string, path: string[], work: TidyState): unknown {
  if (typeof value === 'string') return tidyText(value, key, path, work);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => tidy(item, key, [...path, String(index)], work));
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (item === null && work.dropNulls) continue;
    const inner = [...path, name];
    entries.push([name, name === OPAQUE ? item : tidy(item, name, inner, work)]);
  }
  // `fromEntries` defines properties, so a key `__proto__` does not change the prototype.
  return Object.fromEntries(entries);
}

function tidyText(text: string, key: string, path: string[], work: TidyState): string {
  if (LONG.has(key)) return UNTRIMMED.has(key) ? cleanLongText(text) : cleanLongText(text).trim();
  const trimmed = text.trim();
  if (hasControlCharacter(trimmed)) {
    work.issues.push({ path: path.join('.'), reason: 'must not contain control characters' });
  }
  return trimmed;
}
