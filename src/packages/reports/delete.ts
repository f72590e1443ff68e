// A report goes when whoever made it says so.
import { type Context, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { isMaker, storedReport } from './read.ts';

interface DeleteReport {
  id: string;
  secret: string | null;
}

export async function deleteReport(ctx: Context, { id, secret }: DeleteReport): Promise<void> {
  const row = await storedReport(ctx, id);
  const isOperator = ctx.caller.kind === 'root';
  if (!isOperator && !isMaker(ctx, row, secret)) {
    throw new ApiError('forbidden', 'only who made this report can delete it: by its deletion token or account', {
      reason: 'maker',
    });
  }
  await transact(ctx, ({ tx }) => tx.deleteFrom('reports').where('id', '=', id).execute(), 'bookkeeping');
}
