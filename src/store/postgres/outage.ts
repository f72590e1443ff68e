import { errorCode, errorMessage } from '../../domain/records.ts';
import type { Outage } from '../outage.ts';

// Serialisation failures, deadlocks and lock time-outs go away when the transaction runs again.
const BUSY = new Set(['40001', '40P01', '55P03']);
const DISK_FULL = '53100';
const READ_ONLY = '25006';

// The server is stopping, starting, out of connections, or has given up a statement that took too long.
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '57P05', '57014', '53300', '53200', '58000', '58030']);
const CONNECTION_CLASS = /^08[0-9A-Z]{3}$/;

const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

// The driver gives the errors of its own connections no code.
const DRIVER_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];

export function isPostgresBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error));
}

export function postgresOutage(error: unknown): Outage | null {
  const code = codeOf(error);
  if (BUSY.has(code)) return 'busy';
  if (code === DISK_FULL) return 'disk_full';
  if (code === READ_ONLY) return 'read_only';
  if (UNREACHABLE.has(code) || SOCKET.has(code)) return 'database';
  if (CONNECTION_CLASS.test(code)) return 'database';
  const message = errorMessage(error);
  return DRIVER_MESSAGES.some((start) => message.startsWith(start)) ? 'database' : null;
}

function codeOf(error: unknown): string {
  const code = errorCode(error);
  return typeof code === 'string' ? code : '';
}
