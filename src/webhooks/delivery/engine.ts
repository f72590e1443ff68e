// Sends what is due, many at a time, until nothing is due and nothing runs. Ended attempts are written and
// new ones are claimed in one transaction, which under load serves many attempts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Context, transact } from '../../context.ts';
import { loopTimers } from '../../net/loop-timers.ts';
import { sleep, systemTimers, type Timers } from '../../net/timers.ts';
import { attemptDelivery, type FinishedAttempt } from './attempt.ts';
import { anyDue, type ClaimedBatch, claimDeliveries } from './claim.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { type SettledAttempts, settleAttempts } from './settle.ts';
import { createSlots, type Slots } from './slots.ts';

export interface EngineOptions {
  timers?: Timers;
  slots?: Slots;
  // Called after each commit.
  onSettled?: (ctx: Context, settled: SettledAttempts) => void;
}

export interface DeliveryEngine {
  // When the signal is raised, nothing more is claimed, and attempts in flight have some time left.
  run(ctx: Context, signal: AbortSignal): Promise<void>;
}

// While attempts run, others fall due, so the queue is checked again.
const LOOK_AGAIN_MS = 250;
// A process has ten seconds to stop; the time behind this is for handing back and writing.
const GRACE_MS = 8_500;

const NOTHING: ClaimedBatch = { deliveries: [], more: false };

export function createDeliveryEngine(options: EngineOptions = {}): DeliveryEngine {
  const { timers = systemTimers, slots = createSlots(), onSettled } = options;
  // These timers measure the time of the receiver without the time in which this process was too busy to read its answer.
  const attemptTimers = options.timers ?? loopTimers;
  // Both sets outlive a failed pass: running attempts continue, and the next pass writes the ended ones.
  const running = new Set<Promise<void>>();
  const finished: FinishedAttempt[] = [];
  const cutOff = new AbortController();
  let wake = () => {};

  function start(ctx: Context, delivery: ClaimedDelivery): void {
    slots.take(delivery.subscription);
    const attempt = attemptDelivery(ctx, delivery, { signal: cutOff.signal, timers: attemptTimers }).then((end) => {
      slots.release(delivery.subscription, end.ended === 'verdict' && end.verdict.verdict === 'delivered');
      finished.push(end);
      running.delete(attempt);
      wake();
    });
    running.add(attempt);
  }

  async function turn(ctx: Context, signal: AbortSignal): Promise<ClaimedBatch> {
    const ended = finished.slice();
    const { settled, claim } = await transact(
      ctx,
      async (ctx) => ({
        settled: await settleAttempts(ctx, ended),
        claim: signal.aborted ? NOTHING : await claimDeliveries(ctx, slots),
      }),
      'bookkeeping',
    );
    finished.splice(0, ended.length);
    onSettled?.(ctx, settled);
    return claim;
  }

  async function somethingHappens(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
      if (finished.length > 0 || signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    await Promise.race([ended, sleep(timers, LOOK_AGAIN_MS, over.signal)]);
    over.abort();
    // Answers that arrive together share a transaction.
    await nextTurn();
  }

  async function finish(ctx: Context, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(running), sleep(timers, GRACE_MS, over.signal)]);
    over.abort();
    cutOff.abort();
    await Promise.all(running);
    if (finished.length > 0) await turn(ctx, signal);
  }

  return {
    async run(ctx, signal) {
      while (!signal.aborted) {
        const claim = finished.length > 0 || (await anyDue(ctx, slots)) ? await turn(ctx, signal) : NOTHING;
        for (const delivery of claim.deliveries) start(ctx, delivery);
        if (claim.more) {
          await nextTurn();
          continue;
        }
        if (running.size === 0 && finished.length === 0) return;
        await somethingHappens(signal);
      }
      await finish(ctx, signal);
    },
  };
}
