// One promotion or sync of an org at a time. The claim is a row and not a lock: the work calls other servers, and a process
// that dies leaves the org free after ten minutes.
import { type Context, now, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { leasesEndedBy } from '../../store/lease.ts';

const CLAIM_MS = 10 * 60_000;

export async function withClaim<T>(ctx: Context, orgId: string, work: (claimedAt: string) => Promise<T>): Promise<T> {
  const claimedAt = await claim(ctx, orgId);
  try {
    return await work(claimedAt);
  } finally {
    await transact(
      ctx,
      ({ tx }) =>
        tx
          .updateTable('orgs')
          .set({ promoting_at: null })
          .where('id', '=', orgId)
          .where('promoting_at', '=', claimedAt)
          .execute(),
      'bookkeeping',
    );
  }
}

async function claim(ctx: Context, orgId: string): Promise<string> {
  const at = now(ctx);
  const ended = leasesEndedBy(ctx.clock(), CLAIM_MS);
  const row = await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('orgs')
        .set({ promoting_at: at })
        .where('id', '=', orgId)
        .where((eb) => eb.or([eb('promoting_at', 'is', null), eb('promoting_at', '<=', ended)]))
        .returning('id')
        .executeTakeFirst(),
    'bookkeeping',
  );
  if (row) return at;
  throw new ApiError('busy', 'a promotion or sync of this org is running', undefined, { 'Retry-After': '10' });
}
