// A tracked org that nothing reads any more, but that is still known to publish, is a stub again.
import { type Context, now, transact } from '../../context.ts';

// The number of orgs. Paused sources count as live: somebody may resume them.
export async function demoteOrgs(ctx: Context): Promise<number> {
  return transact(ctx, async ({ tx }) => {
    const rows = await tx
      .updateTable('orgs')
      .set({ status: 'stub', updated_at: now(ctx) })
      .where('status', '=', 'tracked')
      .where('deleted_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('sources')
              .select('sources.id')
              .whereRef('sources.org_id', '=', 'orgs.id')
              .where('sources.deleted_at', 'is', null),
          ),
        ),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('release_locations')
            .select('release_locations.id')
            .whereRef('release_locations.org_id', '=', 'orgs.id')
            .where('release_locations.deleted_at', 'is', null),
        ),
      )
      .returning('id')
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await tx.updateTable('release_locations').set({ source_id: null }).where('org_id', 'in', ids).execute();
    return rows.length;
  });
}
