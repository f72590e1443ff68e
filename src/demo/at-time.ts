import type { Context } from '../context.ts';

// Writes as if the clock stood at that time, so that the history of the demo registry looks lived in.
export function at<C extends Context>(ctx: C, iso: string): C {
  return { ...ctx, clock: () => new Date(iso) };
}
