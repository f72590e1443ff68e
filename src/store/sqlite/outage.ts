import type { Outage } from '../outage.ts';
import { sqliteCode } from './connection.ts';

// Primary result codes; extended ones carry them in their lowest byte.
const OUTAGES: Readonly<Record<number, Outage>> = {
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'database',
  13: 'disk_full',
  14: 'database',
};

// I/O errors that a full file system causes: a write, or the growth of the shared memory file of the log.
const SPACE_ERRORS = new Set([10 | (3 << 8), 10 | (19 << 8)]);

export function sqliteOutage(error: unknown): Outage | null {
  const code = sqliteCode(error);
  if (code === null) return null;
  if (SPACE_ERRORS.has(code)) return 'disk_full';
  return OUTAGES[code & 0xff] ?? null;
}
