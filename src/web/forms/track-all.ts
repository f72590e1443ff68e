// Has the packages of a report read whose notes nobody tracks, as far as the reader's limit goes.
import type { Context } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { requireOwnForm, requireTrustedOrigin } from '../../http/kernel/forms.ts';
import type { RequestInfo, RouteDeclaration } from '../../http/kernel/route.ts';
import type { UpgradeReport } from '../../insight/whats-changed/report.ts';
import { type TrackTally, untrackedRows } from '../components/track-all.ts';
import { trackOutcome } from './track.ts';

// The limit of the call is ten in a minute.
const AT_ONCE = 10;
const REFUSED: ReadonlySet<string> = new Set(['wait', 'full', 'closed']);

export async function trackAll(
  ctx: Context,
  { api, request }: { api: readonly RouteDeclaration[]; request: RequestInfo },
  { report, tried }: { report: UpgradeReport; tried: readonly string[] },
): Promise<TrackTally> {
  // The form of a reader who is not signed in carries no CSRF token.
  if (ctx.caller.kind === 'session') requireOwnForm(ctx, { ...request, form: request.form ?? new URLSearchParams() });
  else requireTrustedOrigin(ctx.config, request.headers);
  const rows = untrackedRows(report, tried);
  const asked = rows.slice(0, AT_ONCE);
  const outcomes = await Promise.all(
    asked.map(({ ecosystem, name }) => trackOutcome(ctx, { api, request }, { ecosystem, package: name })),
  );
  const answered = asked.filter((_, index) => !REFUSED.has(outcomes[index] ?? ''));
  const count = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
  return {
    read: count('read', 'known', 'again'),
    later: count('later', 'silent'),
    without: count('empty', 'missing', 'unclear'),
    left: rows.length - asked.length + count('wait'),
    isFull: count('full') > 0,
    isClosed: count('closed') > 0,
    tried: [...tried, ...answered.map(packageKey)],
  };
}
