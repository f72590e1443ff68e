// One effect for each idempotency key. The claim on a key is committed before the work begins, so that a second caller
// sees it; the effect and the answer to repeat are committed together, so that neither exists without the other. Only
// work that waits for strangers has no transaction around it: its answer is stored when it is done.
import { type Context, transact } from '../context.ts';
import { systemTimers } from '../net/timers.ts';
import { renewLease } from '../store/lease.ts';
import {
  claimKey,
  type IdempotentCall,
  type OwnClaim,
  type RepeatableReply,
  releaseKey,
  renewClaim,
  settleKey,
} from './idempotency-keys.ts';

const BEAT_MS = 1000;

interface IdempotentAnswer {
  reply: RepeatableReply;
  replayed: boolean;
}

type IdempotentWork = (ctx: Context) => Promise<RepeatableReply>;

export async function runOnce(ctx: Context, call: IdempotentCall, work: IdempotentWork): Promise<IdempotentAnswer> {
  const earlier = await claimKey(ctx, call);
  if ('answer' in earlier) return { reply: earlier.answer, replayed: true };
  const mine: OwnClaim = { ...call, claimedAt: [earlier.claimedAt] };
  try {
    const reply = call.outbound ? await workOutside(ctx, mine, work) : await workInside(ctx, mine, work);
    return { reply, replayed: false };
  } catch (error) {
    await ctx.store
      .transaction((tx) => releaseKey(tx, mine), 'bookkeeping')
      .catch((err) => ctx.log.warn({ err }, 'an idempotency key could not be freed'));
    throw error;
  }
}

// With one writer, whoever wants the claim waits for the transaction, and a renewal would wait, too.
function workInside(ctx: Context, mine: OwnClaim, work: IdempotentWork): Promise<RepeatableReply> {
  const letGo = ctx.store.dialect.hasOneWriter ? null : holdClaim(ctx, mine);
  return transact(ctx, async (ctx) => {
    const reply = await work(ctx);
    await settleKey(ctx.tx, mine, reply);
    return reply;
  }).finally(() => {
    // A renewal that is still under way finds the key settled; nobody has to wait for it.
    void letGo?.();
  });
}

async function workOutside(ctx: Context, mine: OwnClaim, work: IdempotentWork): Promise<RepeatableReply> {
  const letGo = holdClaim(ctx, mine);
  const reply = await work(ctx).finally(letGo);
  // The work is done, so its caller gets the answer even when it cannot be stored for repetition.
  await ctx.store
    .transaction((tx) => settleKey(tx, mine, reply), 'bookkeeping')
    .catch((err) => ctx.log.warn({ err }, 'an answer could not be stored under its idempotency key'));
  return reply;
}

// The claim of a long call is renewed while it runs, so that the call does not count as dead.
function holdClaim(ctx: Context, mine: OwnClaim): () => Promise<void> {
  return renewLease({
    everyMs: BEAT_MS,
    timers: mine.timers ?? systemTimers,
    renew: async () => {
      await ctx.store.transaction((tx) => renewClaim(tx, mine, ctx.clock()), 'bookkeeping');
      return true;
    },
    onError: (err) => ctx.log.warn({ err }, 'the claim on an idempotency key could not be renewed'),
  });
}
