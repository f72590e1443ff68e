// Live streams: opens them, sends keep-alives, applies limits, and ends them at shutdown.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientGone, type Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReadingAnswer } from '../../contract/reading.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import {
  eventsAfter,
  isInScope,
  type StreamEvent,
  type StreamScope,
  type StreamStart,
  streamStart,
} from '../../webhooks/stream/events.ts';
import { createEventHub, type EventHub } from '../../webhooks/stream/hub.ts';
import { frame } from './event-frame.ts';
import type { HttpExchange } from './kernel.ts';
import { createReadingWatch } from './reading-watch.ts';
import { type Reply, stream } from './reply.ts';

// What a stream carries: releases, or the reading that has not ended yet.
export type StreamRequest = ReleaseStream | { reading: ReadingAnswer };

interface ReleaseStream {
  scope: StreamScope;
  lastEventId?: string;
  since?: number;
}

export interface Streams {
  open(ctx: Context, exchange: HttpExchange, streamRequest: StreamRequest): Promise<Reply>;
  // Ends every stream with a `bye` event.
  close(): void;
}

const PER_ADDRESS = 10;
const PER_ACCOUNT = 5;

export function createStreams(ctx: Context, { timers = systemTimers }: { timers?: Timers } = {}): Streams {
  const hub = createEventHub(ctx, { timers });
  const sessions = new Set<StreamSession>();
  const openStreams = createOpenStreams();
  const readings = createReadingWatch(ctx, { timers });
  let closed = false;

  return {
    async open(callerCtx, exchange, asked) {
      if (closed) throw new ApiError('service_unavailable', 'the service is stopping');
      const { request, response } = exchange;
      const named = [request.headers['last-event-id']].flat()[0]?.trim();
      if (response.destroyed) throw new ClientGone();
      if (request.method !== 'HEAD') openStreams.take(exchange, callerCtx.caller);
      if ('reading' in asked) {
        const { reading } = asked;
        return stream('text/event-stream', () => {
          if (!response.destroyed) readings.join(response, reading);
        });
      }
      const { scope, since, lastEventId } = asked;
      const start = await streamStart(ctx, { eventId: named || lastEventId, since });
      return stream('text/event-stream', () => {
        if (response.destroyed) return;
        const session = openSession({ ctx, hub, timers, response, scope, start });
        sessions.add(session);
        response.once('close', () => sessions.delete(session));
        if (closed) session.end('shutdown');
      });
    },
    close() {
      closed = true;
      for (const session of sessions) session.end('shutdown');
      readings.close();
      hub.close();
    },
  };
}

interface StreamLimit {
  key: string;
  limit: number;
  whose: string;
}

// Counts open streams in the memory of this process; a stream is released when its response closes.
function createOpenStreams() {
  const taken = new Map<string, number>();

  function limitsOf({ client }: HttpExchange, { kind, account }: Caller): StreamLimit[] {
    if (kind === 'root' || kind === 'system') return [];
    const limits: StreamLimit[] = [];
    if (!client.exempt) limits.push({ key: `ip:${client.key}`, limit: PER_ADDRESS, whose: 'this address' });
    if (account) limits.push({ key: `account:${account.userId}`, limit: PER_ACCOUNT, whose: 'this account' });
    return limits;
  }

  return {
    take(exchange: HttpExchange, caller: Caller): void {
      const limits = limitsOf(exchange, caller);
      const full = limits.find(({ key, limit }) => (taken.get(key) ?? 0) >= limit);
      if (full) throw tooMany(full);
      for (const { key } of limits) taken.set(key, (taken.get(key) ?? 0) + 1);
      exchange.response.once('close', () => {
        for (const { key } of limits) {
          const left = (taken.get(key) ?? 0) - 1;
          if (left > 0) taken.set(key, left);
          else taken.delete(key);
        }
      });
    },
  };
}

function tooMany({ limit, whose }: StreamLimit): ApiError {
  const message = `${whose} has ${limit} open streams; close one first`;
  return new ApiError('rate_limited', message, { policy: 'streams', limit }, { 'Retry-After': '60' });
}

// One open stream: sends the missed events, then new ones, without loss or repetition in between.

export interface StreamSession {
  end(reason: 'shutdown' | 'max_age'): void;
}

interface SessionParts {
  ctx: Context;
  hub: EventHub;
  timers: Timers;
  response: ServerResponse;
  scope: StreamScope;
  start: StreamStart;
}

const KEEP_ALIVE_MS = 15_000;
const MAX_AGE_MS = 60 * 60_000;
// The most bytes that are buffered for a client that does not read.
const MAX_BUFFERED_BYTES = 1024 * 1024;
const PAGE = 50;

export function openSession({ ctx, hub, timers, response, scope, start }: SessionParts): StreamSession {
  let sentUpTo = start.after;
  let lastSentAt = timers.now();
  let over = false;
  let cancelKeepAlive = timers.after(KEEP_ALIVE_MS, keepAlive);
  const cancelMaxAge = timers.after(MAX_AGE_MS, () => end('max_age'));
  response.once('close', leave);

  function leave(): void {
    over = true;
    hub.leave(take);
    cancelKeepAlive();
    cancelMaxAge();
  }

  function send(text: string): void {
    if (over) return;
    response.write(text);
    lastSentAt = timers.now();
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
  }

  function keepAlive(): void {
    const idleMs = timers.now() - lastSentAt;
    if (idleMs >= KEEP_ALIVE_MS) send(KEEP_ALIVE_FRAME);
    cancelKeepAlive = timers.after(idleMs >= KEEP_ALIVE_MS ? KEEP_ALIVE_MS : KEEP_ALIVE_MS - idleMs, keepAlive);
  }

  function take(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.seq <= sentUpTo) continue;
      sentUpTo = event.seq;
      if (isInScope(scope, event)) send(frame('release.created', event.payload, event.id));
    }
  }

  function end(reason: 'shutdown' | 'max_age'): void {
    if (over) return;
    send(frame('bye', JSON.stringify({ reason })));
    leave();
    response.end();
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const events = await eventsAfter(ctx, sentUpTo, PAGE);
      take(events);
      // Missed events are sent only as fast as the client reads them.
      if (response.writableNeedDrain && !over) await drained(response);
      if (over || (events.length < PAGE && hub.join(sentUpTo, take))) return;
    }
  }

  send(RETRY_FRAME);
  send(frame('ready', JSON.stringify({ seq: start.newest })));
  if (start.gap) send(frame('snapshot_gap', JSON.stringify(start.gap)));
  catchUp().catch((err) => {
    ctx.log.error({ err }, 'a stream could not be read on');
    response.destroy();
  });
  return { end };
}

async function drained(response: ServerResponse): Promise<void> {
  const done = new AbortController();
  const ends = ['drain', 'close'].map((event) => once(response, event, { signal: done.signal }));
  await Promise.race(ends).catch(() => {});
  done.abort();
  await Promise.allSettled(ends);
}

const RETRY_FRAME = 'retry: 3000\n\n';
const KEEP_ALIVE_FRAME = ': keep-alive\n\n';
