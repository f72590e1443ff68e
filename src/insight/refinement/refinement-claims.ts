// Claims on releases that a model is asked about, so that two workers never pay for the same one.
import { type Context, now, transact } from '../../context.ts';
import { leasesEndedBy } from '../../store/lease.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';

type ClaimedRelease = Pick<ReleaseRow, 'id' | 'content_hash'>;

const CLAIM_MS = 10 * 60_000;

// Claims a release; an expired claim of another worker is taken over.
export function claimRelease(ctx: Context, { id, content_hash }: ClaimedRelease): Promise<boolean> {
  const expired = leasesEndedBy(ctx.clock(), CLAIM_MS);
  return transact(
    ctx,
    async ({ tx }) => {
      const row = { release_id: id, content_hash, outcome: 'claimed', at: now(ctx) };
      const taken = await tx
        .insertInto('refinements')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('release_id')
            .doUpdateSet(row)
            .where((eb) =>
              eb.or([
                eb('refinements.content_hash', '!=', content_hash),
                eb.and([eb('refinements.outcome', '=', 'claimed'), eb('refinements.at', '<', expired)]),
              ]),
            ),
        )
        .returning('release_id')
        .execute();
      return taken.length > 0;
    },
    'bookkeeping',
  );
}

// Ends a claim with its outcome; without an outcome the release can be claimed again.
export async function settleClaim(
  ctx: Context,
  { id }: ClaimedRelease,
  outcome: 'used' | 'rejected' | 'failed' | null,
): Promise<void> {
  await transact(
    ctx,
    async ({ tx }) => {
      if (outcome === null) await tx.deleteFrom('refinements').where('release_id', '=', id).execute();
      else await tx.updateTable('refinements').set({ outcome }).where('release_id', '=', id).execute();
    },
    'bookkeeping',
  );
}
