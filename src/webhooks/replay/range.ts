// Replays all events of a period, with the current settings of the subscription.
import { type Context, queries, transact } from '../../context.ts';
import type { RangeReplay, RangeReplayQueued } from '../../contract/webhooks.ts';
import { parseWindow } from '../../domain/time-window.ts';
import { PRIORITY } from '../delivery/delivery.ts';
import { publicReleases } from '../delivery/messages.ts';
import { enqueueDeliveries } from '../enqueue.ts';
import { takeRangeReplay } from '../limits.ts';
import { eventsFor, type MatchedEvent, type SubscriptionScope } from '../matching.ts';
import { lateBodies } from '../reclassified.ts';
import { refuseDisabled, refuseField } from '../refusals.ts';
import { lockSubscription, ownedSubscription, type SubscriptionOwner } from '../subscriptions/owner.ts';
import { nextReplayNumbers } from './one.ts';

const MAX_EVENTS = 1000;
const PAGE = 500;

interface RangeReplayInput {
  id: string;
  owner: SubscriptionOwner;
  range: RangeReplay;
}

export async function replayRange(ctx: Context, { id, owner, range }: RangeReplayInput): Promise<RangeReplayQueued> {
  const known = await ownedSubscription(ctx, { id, owner });
  const window = readWindow(range, ctx.clock());
  if (known.enabled === 0) throw refuseDisabled();
  await takeRangeReplay(ctx, id);
  // The events are read before the lock is taken, because there may be many pages.
  const picked = await pick(ctx, { id, scope: known }, { ...window, onlyFailed: range.only === 'failed' });
  return transact(
    ctx,
    async (ctx) => {
      const row = await lockSubscription(ctx, { id, owner });
      if (row.enabled === 0) throw refuseDisabled();
      const { events, ...picture } = picked;
      if (events.length > 0) {
        const numberOf = await nextReplayNumbers(
          ctx,
          id,
          events.map((event) => event.id),
        );
        const bodies = await lateBodies(
          ctx,
          events.filter((event) => event.isLate),
        );
        const deliveries = events.map((event) => ({
          eventId: event.id,
          eventSeq: event.seq,
          replay: numberOf(event.id),
          priority: PRIORITY.replay,
          body: bodies.get(event.id),
        }));
        await enqueueDeliveries(ctx, id, deliveries);
      }
      return { ...picture, queued: events.length };
    },
    'bookkeeping',
  );
}

function readWindow({ since, until }: RangeReplay, now: Date): { since: number; until: number } {
  const window = parseWindow({ since, until }, now);
  if (!window.ok) throw refuseField({ field: window.parameter, reason: window.reason });
  const bounds = {
    since: Date.parse(window.since ?? ''),
    until: window.until ? Date.parse(window.until) : now.getTime(),
  };
  if (bounds.since > bounds.until) throw refuseField({ field: 'since', reason: 'must not be later than until' });
  return bounds;
}

interface Picked {
  events: MatchedEvent[];
  matched: number;
  skipped: number;
  truncated: boolean;
  nextSince: string | null;
}

async function pick(
  ctx: Context,
  { id, scope }: { id: string; scope: SubscriptionScope },
  window: { since: number; until: number; onlyFailed: boolean },
): Promise<Picked> {
  const events: MatchedEvent[] = [];
  let matched = 0;
  let after: { ts: number; seq: number } | undefined;
  for (;;) {
    const page = await eventsFor(ctx, scope, { ...window, after, limit: PAGE });
    const fit = await fitting(ctx, id, page.events, window.onlyFailed);
    for (const event of page.events) {
      const wanted = fit.has(event.id);
      if (wanted && events.length === MAX_EVENTS) return truncated(events, matched, event);
      matched += 1;
      if (wanted) events.push(event);
    }
    if (!page.next) break;
    after = page.next;
  }
  return { events, matched, skipped: matched - events.length, truncated: false, nextSince: null };
}

// Events with the same timestamp stay together, because a second call from `nextSince` would send some of them twice.
function truncated(events: MatchedEvent[], matched: number, leftOut: MatchedEvent): Picked {
  const whole = events.filter((event) => event.ts < leftOut.ts);
  const chosen = whole.length > 0 ? whole : events;
  const count = matched - (events.length - chosen.length);
  return {
    events: chosen,
    matched: count,
    skipped: count - chosen.length,
    truncated: true,
    nextSince: new Date(leftOut.ts).toISOString(),
  };
}

async function fitting(
  ctx: Context,
  subscriptionId: string,
  events: readonly MatchedEvent[],
  onlyFailed: boolean,
): Promise<Set<string>> {
  const shown = await publicReleases(
    ctx,
    events.map((event) => event.release_id),
  );
  const received = onlyFailed ? await delivered(ctx, subscriptionId, events) : new Set();
  return new Set(
    events.filter((event) => shown.has(event.release_id) && !received.has(event.id)).map((event) => event.id),
  );
}

async function delivered(ctx: Context, subscriptionId: string, events: readonly MatchedEvent[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('webhook_attempts')
    .select('event_id')
    .distinct()
    .where('subscription_id', '=', subscriptionId)
    .where(
      'event_id',
      'in',
      events.map((event) => event.id),
    )
    .where('outcome', '=', 'success')
    .execute();
  return new Set(rows.map((row) => row.event_id));
}
