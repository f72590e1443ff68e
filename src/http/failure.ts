// Every error becomes one envelope; what nobody foresaw goes to the log and tells the caller nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import { type Answer, createAnswer, JSON_TYPE } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { PRIVATE } from './headers.ts';

export const SETUP_COMMANDS = ['registry migrate'];
const DATABASE_LIMIT_MS = 2000;

export function errorAnswer(error: ApiError, vary: readonly string[] = []): Answer {
  const headers: [string, string][] = [
    ['Content-Type', JSON_TYPE],
    ['Cache-Control', PRIVATE],
    ...Object.entries(error.headers),
  ];
  return createAnswer({ status: error.status, headers, vary, body: JSON.stringify(error.toBody()), tagged: false });
}

export async function toApiError(ctx: Context, exchange: Exchange, error: unknown): Promise<ApiError> {
  const { requestId } = exchange;
  if (error instanceof ApiError) {
    if (error.type !== 'upstream' && error.type !== 'internal') return error;
    return new ApiError(error.code, error.message, { ...(error.details as object), requestId }, error.headers);
  }
  if (ctx.store.dialect.isBusy(error)) {
    return new ApiError('service_unavailable', 'the database is busy', undefined, { 'Retry-After': '1' });
  }
  const fields = { err: error, requestId, method: exchange.request.method, route: exchange.route };
  ctx.log.error(fields, 'request failed');
  const state = await databaseState(ctx);
  return state === null ? new ApiError('internal_error', 'something went wrong', { requestId }) : state;
}

// Null when the database answers and is up to date.
export async function databaseState(ctx: Context, limitMs = DATABASE_LIMIT_MS): Promise<ApiError | null> {
  const pending = await pendingMigrations(ctx, limitMs);
  if (pending === null) {
    const details = { db: 'unreachable', migrations: 'unknown' };
    return new ApiError('service_unavailable', 'the database does not answer', details, { 'Retry-After': '5' });
  }
  if (pending.length === 0) return null;
  const details = { db: 'ok', migrations: 'missing', setup: SETUP_COMMANDS };
  return new ApiError('database_not_initialized', 'the database lacks migrations', details);
}

async function pendingMigrations(ctx: Context, limitMs: number): Promise<string[] | null> {
  const gaveUp = new AbortController();
  const limit = sleep(limitMs, null, { signal: gaveUp.signal, ref: false }).catch(() => null);
  const check = async () => {
    await ctx.store.ping();
    return ctx.store.migrationsPending();
  };
  try {
    return await Promise.race([check(), limit]);
  } catch {
    return null;
  } finally {
    gaveUp.abort();
  }
}
