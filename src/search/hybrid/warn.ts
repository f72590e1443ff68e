import type { Context } from '../../context.ts';

const MINUTE_MS = 60_000;

const warned = new WeakMap<object, Map<string, number>>();

/** A failing retriever fails for every search; one line a minute says it. */
export function warnOncePerMinute(ctx: Context, retriever: string, err: unknown): void {
  const times = warned.get(ctx.store) ?? new Map<string, number>();
  warned.set(ctx.store, times);
  const now = ctx.clock().getTime();
  const last = times.get(retriever);
  if (last !== undefined && now >= last && now - last < MINUTE_MS) return;
  times.set(retriever, now);
  ctx.log.warn({ err, retriever }, 'a retriever of the search failed');
}
