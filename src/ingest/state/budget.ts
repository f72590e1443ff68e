// A quota that all sources of an API share. When it runs low, the host and all its jobs wait for the reset.
import { now, type WriteContext } from '../../context.ts';
import type { WaitReason } from '../../contract/holds.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { cappedWait } from '../../domain/net/rate-limit.ts';
import type { AdapterResult, Budget } from '../adapters/contract.ts';
import { isBudgetLow } from '../adapters/github/budget.ts';
import { later } from '../queue/host-state.ts';

// The wait that GitHub asks for when it names no time.
const UNNAMED_WAIT_MS = 60_000;

export async function noteBudget(
  ctx: WriteContext,
  { host, outcome, budget, retryAt }: Pick<AdapterResult, 'outcome' | 'budget' | 'retryAt'> & { host: string },
): Promise<void> {
  const wait = waitOf(ctx, { outcome, budget: budget ?? null, retryAt });
  if (!budget && wait === null) return;
  const row = await ctx.tx.selectFrom('hosts').select('next_request_at').where('host', '=', host).executeTakeFirst();
  await ctx.tx
    .updateTable('hosts')
    .set({
      ...(budget ? { budget: JSON.stringify(budget) } : {}),
      ...(wait === null
        ? {}
        : {
            next_request_at: later(wait.until, row?.next_request_at ?? null),
            ready_at: wait.until,
            wait_reason: wait.reason,
          }),
    })
    .where('host', '=', host)
    .execute();
}

function waitOf(
  ctx: WriteContext,
  { outcome, budget, retryAt }: { outcome: FetchOutcome; budget: Budget | null; retryAt: string | null },
): { until: string; reason: WaitReason } | null {
  const soon = new Date(ctx.clock().getTime() + UNNAMED_WAIT_MS).toISOString();
  const capped = (until: string) => cappedWait(new Date(until), ctx.clock()).toISOString();
  if (outcome === 'throttled') {
    const until = capped(later(retryAt ?? budget?.resetAt ?? soon, now(ctx)));
    return { until, reason: retryAt === null ? 'quota_used' : 'retry_after' };
  }
  if (!budget || !isBudgetLow(budget, ctx.clock())) return null;
  return { until: capped(budget.resetAt ?? soon), reason: 'quota_low' };
}
