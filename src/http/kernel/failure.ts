// Turns every error into an answer. An unexpected error is logged, and the client gets no details.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { isRecord } from '../../domain/records.ts';
import { findOutage, type Outage, slowStatement, type WriteOutage } from '../../store/outage.ts';
import { TaskStopped, TooManyTasks } from '../../threads/task.ts';
import { type Answer, createAnswer } from './answer.ts';
import { PAGE_HEADERS, PRIVATE } from './headers.ts';
import type { HttpExchange } from './kernel.ts';
import { HTML_TYPE, JSON_TYPE, Reply } from './reply.ts';
import type { FailureFormat } from './route.ts';

const SETUP_COMMANDS = ['registry migrate'];
const DATABASE_LIMIT_MS = 2000;

interface FailureParts {
  error: ApiError;
  // By default errors are written in the JSON envelope of the API.
  format?: FailureFormat | undefined;
  // Returns the context with the owner of the session that was sent.
  recognize: () => Promise<Context>;
  vary: readonly string[];
}

export async function failureAnswer(ctx: Context, parts: FailureParts): Promise<Answer> {
  const { error, format = envelope, recognize, vary } = parts;
  const { status, body, headers: own } = await format(error, ctx, recognize);
  const page = own['Content-Type'] === HTML_TYPE ? PAGE_HEADERS : {};
  const headers = Object.entries({ ...page, ...own, 'Cache-Control': PRIVATE, ...error.headers });
  return createAnswer({ status, headers, vary, body: String(body), tagged: false });
}

function envelope(error: ApiError): Reply {
  return new Reply(error.status, JSON.stringify(error.toBody()), { 'Content-Type': JSON_TYPE });
}

export async function toApiError(ctx: Context, exchange: HttpExchange, error: unknown): Promise<ApiError> {
  const { requestId } = exchange;
  if (error instanceof ApiError) {
    if (error.type !== 'upstream' && error.type !== 'internal') return error;
    return new ApiError(
      error.code,
      error.message,
      { ...(isRecord(error.details) && error.details), requestId },
      error.headers,
    );
  }
  const fields = { err: error, requestId, method: exchange.request.method, route: exchange.route };
  const outage = outageOfRequest(ctx, error, fields);
  if (outage !== null) return outage;
  if (error instanceof TaskStopped || error instanceof TooManyTasks) {
    ctx.log.warn(fields, 'a text could not be read in time');
    return new ApiError(
      'service_unavailable',
      'a text could not be read in time',
      { requestId },
      { 'Retry-After': '30' },
    );
  }
  ctx.log.error(fields, 'request failed');
  const state = await databaseState(ctx);
  return state === null ? new ApiError('internal_error', 'something went wrong', { requestId }) : state;
}

// The answer to a request that the database could not serve, which is logged; null for any other error.
export function outageOfRequest(ctx: Context, error: unknown, fields: object): ApiError | null {
  const outage = findOutage(error, ctx.store.dialect.outageOf);
  if (outage === null) return null;
  const statement = outage === 'too_long' ? { statement: slowStatement(error) } : {};
  if (outage !== 'busy') ctx.log.warn({ ...fields, ...statement, outage }, 'the database could not serve a request');
  return outageError(outage);
}

const OUTAGES: Record<Outage, { message: string; retryAfter: string }> = {
  busy: { message: 'the database is busy', retryAfter: '1' },
  database: { message: 'the database does not answer', retryAfter: '5' },
  too_long: { message: 'this took too long to answer: ask for less at once', retryAfter: '30' },
  read_only: { message: 'the database is read-only: reads go on, writes do not', retryAfter: '30' },
  disk_full: { message: 'the disk of the database is full: reads go on, writes do not', retryAfter: '30' },
};

function outageError(outage: Outage, details: object = {}): ApiError {
  const { message, retryAfter } = OUTAGES[outage];
  const known = outage === 'busy' ? undefined : { reason: outage, ...details };
  return new ApiError('service_unavailable', message, known, { 'Retry-After': retryAfter });
}

// The error that `/ready` answers with; null when the service is ready.
export async function readinessFailure(
  ctx: Context,
  { stopping, loading }: { stopping: boolean; loading: boolean },
): Promise<ApiError | null> {
  if (stopping) {
    const details = { reason: 'stopping', db: 'unknown', migrations: 'unknown' };
    return new ApiError('service_unavailable', 'the service is stopping', details, { 'Retry-After': '10' });
  }
  const state = await databaseState(ctx);
  if (state) return state;
  if (loading) {
    const details = { reason: 'loading', db: 'ok', migrations: 'current' };
    return new ApiError('service_unavailable', 'the sample data is being loaded', details, { 'Retry-After': '5' });
  }
  const outage = await withinLimit<WriteOutage | null>(ctx.store.writeOutage(), null, DATABASE_LIMIT_MS);
  return outage === null ? null : outageError(outage, { db: outage, migrations: 'current' });
}

// Null when the database answers and is up to date.
async function databaseState(ctx: Context, limitMs = DATABASE_LIMIT_MS): Promise<ApiError | null> {
  const pending = await pendingMigrations(ctx, limitMs);
  if (pending === null) return outageError('database', { db: 'unreachable', migrations: 'unknown' });
  if (pending.length === 0) return null;
  const details = { db: 'ok', migrations: 'missing', setup: SETUP_COMMANDS };
  return new ApiError('database_not_initialized', 'the database lacks migrations', details);
}

function pendingMigrations(ctx: Context, limitMs: number): Promise<string[] | null> {
  const check = async () => {
    await ctx.store.ping();
    return ctx.store.migrationsPending();
  };
  return withinLimit<string[] | null>(check(), null, limitMs);
}

// The result of the work, or the other value when it fails or takes too long.
async function withinLimit<T>(work: Promise<T>, otherwise: T, limitMs: number): Promise<T> {
  const over = new AbortController();
  const limit = sleep(limitMs, otherwise, { signal: over.signal, ref: false }).catch(() => otherwise);
  try {
    return await Promise.race([work, limit]);
  } catch {
    return otherwise;
  } finally {
    over.abort();
  }
}
