import { type Context, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordAudit } from '../audit.ts';

export async function deletePackage(ctx: Context, input: { id: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    const row = await ctx.tx.deleteFrom('packages').where('id', '=', input.id).returningAll().executeTakeFirst();
    if (!row) throw notFound('package', input.id);
    await recordAudit(ctx, { action: 'package.delete', targetType: 'package', targetId: row.id, before: row });
  });
}
