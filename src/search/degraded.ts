// An answer that lacks something for the moment is cached nowhere: the next one may be whole.
import type { Context } from '../context.ts';

// Only this reason lasts; every other one ends by itself.
const LASTING = 'not_configured';

export function noteDegraded(ctx: Context, reason: string | null | undefined): void {
  if (reason && reason !== LASTING) ctx.answer.degraded = true;
}
