// Cursors of lists: the sort key of the last row, opaque to callers.
const VERSION = 1;
const MAX_LENGTH = 512;
const ALPHABET = /^[A-Za-z0-9_-]+$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
// This is wider than our own ids, because some lists hold rows whose ids come from the account library.
const ROW_ID = /^[A-Za-z0-9_-]{1,64}$/;
// What `feedVersionOf` makes of a sort key.
const VERSION_KEY = /^(?:[@-Z]\d[!-~]{0,118})?$/;
// Sorts above every version key.
export const ABOVE_VERSIONS = '~';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function encodeCursor(key: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify({ v: VERSION, k: key })).toString('base64url');
}

export function decodeFeedCursor(text: string): [orderTime: string | null, version: string, id: string] | null {
  const key = decodeKey(text);
  if (key?.length !== 3) return null;
  const [orderTime, version, id] = key;
  if ((orderTime !== null && !isTimestamp(orderTime)) || !isRowId(id)) return null;
  // Feeds were once ordered by the time of the first fetch where cursors now hold a version. Continuing such a cursor
  // repeats releases of the same time rather than leaving any out.
  if (isTimestamp(version)) return [orderTime, ABOVE_VERSIONS, id];
  return isVersionKey(version) ? [orderTime, version, id] : null;
}

export function decodeListCursor(text: string): [createdAt: string, id: string] | null {
  const key = decodeKey(text);
  if (key?.length !== 2) return null;
  const [createdAt, id] = key;
  return isTimestamp(createdAt) && isRowId(id) ? [createdAt, id] : null;
}

function decodeKey(text: string): unknown[] | null {
  if (text.length > MAX_LENGTH || !ALPHABET.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The decoder forgives a cut last character; a cursor of ours never has one.
  if (bytes.toString('base64url') !== text) return null;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    if (typeof value !== 'object' || value === null) return null;
    if (!('v' in value) || value.v !== VERSION || !('k' in value) || !Array.isArray(value.k)) return null;
    return value.k;
  } catch {
    return null;
  }
}

function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && TIMESTAMP.test(value);
}

function isVersionKey(value: unknown): value is string {
  return typeof value === 'string' && VERSION_KEY.test(value);
}

function isRowId(value: unknown): value is string {
  return typeof value === 'string' && ROW_ID.test(value);
}
