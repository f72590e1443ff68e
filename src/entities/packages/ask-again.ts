// Packages whose stored answers in stacks no longer hold, because what they came from is gone. A change that leaves something
// behind is found by its time.
import type { Expression, SqlBool } from 'kysely';
import type { WriteContext } from '../../context.ts';

const LONG_AGO = '1970-01-01T00:00:00.000Z';

// `which` is a condition on the package map.
export async function askAboutMappedAgain(ctx: WriteContext, which: Expression<SqlBool>): Promise<void> {
  const mapped = await ctx.tx.selectFrom('packages').select(['ecosystem', 'name']).where(which).execute();
  for (const { ecosystem, name } of mapped) {
    await ctx.tx
      .updateTable('stack_packages')
      .set({ judged_at: LONG_AGO })
      .where('ecosystem', '=', ecosystem)
      .where('name', '=', name)
      .where('judged_at', 'is not', null)
      .execute();
  }
}
