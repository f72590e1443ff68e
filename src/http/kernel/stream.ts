// Live streams: opens them, sends keep-alives, applies limits, and ends them at shutdown.
import type { Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { systemTimers, type Timers } from '../../net/timers.ts';
import type { StreamScope } from '../../webhooks/stream/events.ts';
import { streamStart } from '../../webhooks/stream/events.ts';
import { createEventHub } from '../../webhooks/stream/hub.ts';
import { ClientGone } from './body.ts';
import type { HttpExchange } from './exchange.ts';
import { type Reply, stream } from './reply.ts';
import { openSession, type StreamSession } from './stream-session.ts';

// The parameters of a stream.
export interface StreamRequest {
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
  let closed = false;

  return {
    async open(callerCtx, exchange, { scope, since, lastEventId }) {
      if (closed) throw new ApiError('service_unavailable', 'the service is stopping');
      const { request, response } = exchange;
      const named = [request.headers['last-event-id']].flat()[0]?.trim();
      if (response.destroyed) throw new ClientGone();
      if (request.method !== 'HEAD') openStreams.take(exchange, callerCtx.caller);
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
