// A degraded answer is not cached, because the next one may be complete.
import type { Context } from '../context.ts';

// The only reason that lasts; every other one ends by itself.
const LASTING = 'not_configured';

export function noteDegraded(ctx: Context, reason: string | null | undefined): void {
  if (reason && reason !== LASTING) ctx.answer.degraded = true;
}
