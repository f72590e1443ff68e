import type { Context } from '../../context.ts';

const MINUTE_MS = 60_000;

const told = new WeakMap<object, Map<string, number>>();

/** A failing leg fails for every search; one line a minute says it. */
export function warnOncePerMinute(ctx: Context, leg: string, err: unknown): void {
  const times = told.get(ctx.store) ?? new Map<string, number>();
  told.set(ctx.store, times);
  const now = ctx.clock().getTime();
  const last = times.get(leg);
  if (last !== undefined && now >= last && now - last < MINUTE_MS) return;
  times.set(leg, now);
  ctx.log.warn({ err, leg }, 'a leg of the search failed');
}
