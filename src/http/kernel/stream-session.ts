// One open stream: sends the missed events, then new ones, without loss or repetition in between.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import type { Timers } from '../../net/timers.ts';
import type { StreamStart } from '../../webhooks/stream/events.ts';
import { eventsAfter, isInScope, type StreamEvent, type StreamScope } from '../../webhooks/stream/events.ts';
import type { EventHub } from '../../webhooks/stream/hub.ts';

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
const MOST_BUFFERED_BYTES = 1024 * 1024;
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
    if (response.writableLength > MOST_BUFFERED_BYTES) response.destroy();
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

// `data` must be a single line, as JSON is.
export function frame(event: string, data: string, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}
