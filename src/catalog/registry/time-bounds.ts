import type { Context } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import { parseWindow } from '../../domain/windows.ts';

interface TimeBounds {
  after: string | null;
  before: string | null;
}

// `after` and `before` of the logs take the forms of `since` and `until`; both ends are inclusive.
export function timeBounds(ctx: Context, given: { after?: string; before?: string }): TimeBounds {
  const window = parseWindow({ since: given.after, until: given.before }, ctx.clock());
  if (window.ok) return { after: window.since, before: window.until };
  const reason = window.reason.replace('later than until', 'later than before');
  throw badRequest(window.parameter === 'since' ? 'after' : 'before', reason);
}
