import type { Context } from '../../context.ts';
import type { Queries } from '../../store/schema.ts';

/** Statements of a search never run on the thread that answers requests; inside a transaction they must. */
export function searchQueries(ctx: Context): Queries {
  return ctx.tx ?? ctx.store.search;
}
