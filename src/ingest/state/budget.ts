// A quota that all sources of an API share. When it runs low, the host and all its jobs wait for the reset.
import { now, type WriteContext } from '../../context.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import type { AdapterResult, Budget } from '../adapters/contract.ts';
import { isBudgetLow } from '../adapters/github/budget.ts';
import { later } from '../queue/host-state.ts';

// The wait that GitHub asks for when it names no time.
const UNNAMED_WAIT_MS = 60_000;

export async function noteBudget(
  ctx: WriteContext,
  { host, outcome, budget, retryAt }: Pick<AdapterResult, 'outcome' | 'budget' | 'retryAt'> & { host: string },
): Promise<void> {
  const until = waitUntil(ctx, { outcome, budget: budget ?? null, retryAt });
  if (!budget && until === null) return;
  const row = await ctx.tx.selectFrom('hosts').select('next_request_at').where('host', '=', host).executeTakeFirst();
  await ctx.tx
    .updateTable('hosts')
    .set({
      ...(budget ? { budget: JSON.stringify(budget) } : {}),
      ...(until === null ? {} : { next_request_at: later(until, row?.next_request_at ?? null), ready_at: until }),
    })
    .where('host', '=', host)
    .execute();
}

function waitUntil(
  ctx: WriteContext,
  { outcome, budget, retryAt }: { outcome: FetchOutcome; budget: Budget | null; retryAt: string | null },
): string | null {
  const soon = new Date(ctx.clock().getTime() + UNNAMED_WAIT_MS).toISOString();
  if (outcome === 'throttled') return later(retryAt ?? budget?.resetAt ?? soon, now(ctx));
  return budget && isBudgetLow(budget, ctx.clock()) ? (budget.resetAt ?? soon) : null;
}
