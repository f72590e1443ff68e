// The worker's tasks of webhooks: making deliveries of events and sending them.
import { createMailer, type Mailer } from '../accounts/auth/mail.ts';
import type { Context } from '../context.ts';
import { createAttemptCounts } from '../webhooks/delivery/count-attempts.ts';
import { createDeliveryEngine, type EngineOptions } from '../webhooks/delivery/engine.ts';
import { fanOut } from '../webhooks/delivery/fan-out.ts';
import { fanOutLateVerdicts } from '../webhooks/delivery/late-verdicts.ts';
import { notifyOwner } from '../webhooks/delivery/notify-owner.ts';
import type { SettledAttempts } from '../webhooks/delivery/settle.ts';
import type { BackgroundTask } from './worker.ts';

interface DeliveringOptions extends Pick<EngineOptions, 'timers' | 'slots'> {
  mailer?: Mailer;
}

const LOOK_MS = 250;
const SENDING = 'delivery-sending';

// Deliveries are created before they are sent, so that one pass over all tasks sends new events.
export function createDelivering(options: DeliveringOptions = {}): readonly BackgroundTask[] {
  return [
    {
      name: 'fan-out',
      everyMs: LOOK_MS,
      wakes: SENDING,
      run: async (ctx) => ((await fanOut(ctx)).events > 0 ? 'more' : 'idle'),
    },
    {
      name: 'late-verdicts',
      everyMs: LOOK_MS,
      wakes: SENDING,
      run: async (ctx) => ((await fanOutLateVerdicts(ctx)) > 0 ? 'more' : 'idle'),
    },
    { name: SENDING, everyMs: LOOK_MS, run: createSending(options) },
  ];
}

function createSending({ mailer, ...options }: DeliveringOptions): BackgroundTask['run'] {
  const counts = createAttemptCounts();
  // Promises of work that runs concurrently with the sending, which never waits for it.
  const aside = new Set<Promise<void>>();
  let post = mailer;

  function beside(ctx: Context, work: Promise<void>): void {
    const watched = work
      .catch((err) => ctx.log.error({ err }, 'work after deliveries failed'))
      .finally(() => aside.delete(watched));
    aside.add(watched);
  }

  function onSettled(ctx: Context, { outcomes, disabled }: SettledAttempts): void {
    counts.add(outcomes);
    beside(ctx, counts.write(ctx));
    for (const one of disabled) {
      ctx.log.info({ subscriptionId: one.subscription.id, reason: one.reason }, 'webhook disabled');
      post ??= createMailer(ctx);
      beside(ctx, notifyOwner(ctx, post, one));
    }
  }

  const engine = createDeliveryEngine({ ...options, onSettled });
  return async (ctx, signal) => {
    await engine.run(ctx, signal);
    await counts.write(ctx, { always: true });
    await Promise.all(aside);
    return 'idle';
  };
}
