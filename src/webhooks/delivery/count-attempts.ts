// Counts attempts by result, for the figures. The counts are written at intervals, because all workers share one
// row and would wait for each other at every commit.

import { type Context, transact } from '../../context.ts';
import { ATTEMPT_COUNTER } from '../../packages/work-figures.ts';
import { addToCounter } from '../../store/counters.ts';

interface AttemptCounts {
  add(outcomes: readonly string[]): void;
  // Writes the counts when the interval has passed, or always at the end.
  write(ctx: Context, when?: { always: boolean }): Promise<void>;
}

const EVERY_MS = 5_000;

export function createAttemptCounts(): AttemptCounts {
  let counts = new Map<string, number>();
  let writtenAt = 0;
  return {
    add(outcomes) {
      for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
    async write(ctx, { always } = { always: false }) {
      const at = ctx.clock().getTime();
      if (counts.size === 0 || (!always && Math.abs(at - writtenAt) < EVERY_MS)) return;
      const taken = counts;
      counts = new Map();
      writtenAt = at;
      await transact(
        ctx,
        async ({ tx }) => {
          for (const outcome of [...taken.keys()].sort()) {
            await addToCounter(tx, `${ATTEMPT_COUNTER}${outcome}`, taken.get(outcome) ?? 0);
          }
        },
        'bookkeeping',
      );
    },
  };
}
