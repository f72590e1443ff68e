import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';

// Called before other servers are asked: a transaction that waits for one would block every writer.
export function requireNoTransaction(ctx: Context): void {
  if (!ctx.tx) return;
  throw new ApiError('idempotency_unavailable', 'this call cannot keep an idempotency key; the request did not run');
}
