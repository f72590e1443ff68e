// One HTTP/1.1 request to a target that the guard has checked, on a connection of its own or of its caller.
import { type IncomingMessage, request as startRequest } from 'node:http';
import { type BodyRules, readBody } from './body.ts';
import { type ConnectOptions, openConnection } from './connect.ts';
import { type ConnectionPool, type PooledConnection, pooledConnection } from './connection-pool.ts';
import type { CheckedTarget } from './guard.ts';
import { answerHeaders, type HeaderRecord } from './headers.ts';
import type { RequestFailure } from './result.ts';
import { ABORTED, failureOf, timedOut } from './result.ts';
import type { Limits, SettledRules } from './rules.ts';

interface RequestMessage {
  method: string;
  headers: HeaderRecord;
  userAgent: string;
  body?: Uint8Array | string;
  // Answers whose body is not read.
  skipsBody?: (status: number) => boolean;
}

type RequestOptions = Omit<ConnectOptions, 'limitMs'> & {
  rules: SettledRules;
  // What is left of the total time.
  leftMs: number;
  // Reuses connections that earlier requests under this key have left open, and leaves this one open.
  pool?: { connections: ConnectionPool; key: string };
};

export type Exchange =
  | { ok: true; status: number; headers: HeaderRecord; body: Uint8Array; truncated: boolean; received: number }
  | { ok: false; failure: RequestFailure; status: number | null; received: number };

const MAX_HEADER_BYTES = 64 * 1024;

export async function sendRequest(
  target: CheckedTarget,
  message: RequestMessage,
  options: RequestOptions,
): Promise<Exchange> {
  const { timers, rules, leftMs, pool } = options;
  const end = timers.now() + leftMs;
  const pooled = pool?.connections.take(pool.key, target.addresses) ?? null;
  if (pooled !== null) {
    const exchange = await exchangeOver(pooled, target, message, { ...options, end });
    if (!closedWhileIdle(exchange)) return exchange;
  }
  const left = Math.max(0, end - timers.now());
  const connection = await openConnection(target, { ...options, limitMs: Math.min(rules.limits.connectMs, left) });
  if (!connection.ok) return failed(inTotal(connection.failure, left, rules.limits));
  return exchangeOver(pooledConnection(connection.socket, connection.address), target, message, { ...options, end });
}

// The server closed the idle connection before it saw the request; that says nothing about this request.
function closedWhileIdle(exchange: Exchange): boolean {
  return !exchange.ok && exchange.status === null && exchange.failure.code === 'connection_reset';
}

async function exchangeOver(
  connection: PooledConnection,
  target: CheckedTarget,
  message: RequestMessage,
  { timers, rules, signal, pool, end }: RequestOptions & { end: number },
): Promise<Exchange> {
  const { socket } = connection;
  const { limits } = rules;
  if (signal?.aborted) {
    socket.destroy();
    return failed(ABORTED);
  }
  // Destroying the socket raises errors of its own; only the first reason counts.
  const stopped: { why: RequestFailure | null } = { why: null };
  const stop = (why: RequestFailure) => {
    stopped.why ??= why;
    socket.destroy();
  };
  const abort = () => stop(ABORTED);
  signal?.addEventListener('abort', abort, { once: true });
  const cancelTotal = timers.after(Math.max(0, end - timers.now()), () => stop(timedOut('total', limits.totalMs)));
  const cancelFirst = timers.after(limits.firstByteMs, () => stop(timedOut('first_byte', limits.firstByteMs)));
  let reusable = false;
  try {
    const answer = await firstAnswer(connection, target, message, { codings: rules.codings, stop, reuses: !!pool });
    cancelFirst();
    const exchange = await readAnswer(answer, message, { ...rules, maxBytes: limits.maxBytes });
    // A connection is reusable only after a complete answer: the rest of a truncated one would precede the next answer.
    reusable = exchange.ok && answer.complete && !exchange.truncated;
    answer.resume();
    return exchange.ok || stopped.why === null ? exchange : { ...exchange, failure: stopped.why };
  } catch (error) {
    return failed(stopped.why ?? failureOf(error, 'exchange'));
  } finally {
    cancelFirst();
    cancelTotal();
    signal?.removeEventListener('abort', abort);
    if (pool && reusable) pool.connections.give(pool.key, connection);
    else socket.destroy();
  }
}

interface MessageOptions {
  codings: SettledRules['codings'];
  reuses: boolean;
  stop: (why: RequestFailure) => void;
}

function firstAnswer(
  { agent }: PooledConnection,
  { url }: CheckedTarget,
  message: RequestMessage,
  { codings, reuses, stop }: MessageOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest({
      agent,
      method: message.method,
      path: url.pathname + url.search,
      setDefaultHeaders: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        host: url.host.replace(/\.(?=:\d+$|$)/, ''),
        connection: reuses ? 'keep-alive' : 'close',
        'user-agent': message.userAgent,
        'accept-encoding': codings === 'packed' ? 'gzip, br' : 'identity',
        ...message.headers,
        ...(message.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(message.body)) }),
      },
    });
    request.once('response', resolve);
    request.on('error', (error) => {
      const failure = failureOf(error, 'exchange');
      // Within a body only the request sees this error; the body just sees its connection end.
      if (failure.failure === 'malformed_answer') stop(failure);
      reject(error);
    });
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(message.body);
  });
}

async function readAnswer(answer: IncomingMessage, message: RequestMessage, rules: BodyRules): Promise<Exchange> {
  const status = answer.statusCode ?? 0;
  const headers = answerHeaders(answer.headers);
  const bodiless = message.method === 'HEAD' || status === 204 || status === 304 || message.skipsBody?.(status);
  if (bodiless) return { ok: true, status, headers, body: new Uint8Array(), truncated: false, received: 0 };
  const body = await readBody(answer, rules);
  return body.ok ? { ...body, status, headers } : { ...body, status };
}

// The total time can run out while connecting.
function inTotal(failure: RequestFailure, leftMs: number, limits: Limits): RequestFailure {
  const isTotal = failure.failure === 'timeout' && leftMs < limits.connectMs;
  return isTotal ? timedOut('total', limits.totalMs) : failure;
}

function failed(failure: RequestFailure): Exchange {
  return { ok: false, failure, status: null, received: 0 };
}
