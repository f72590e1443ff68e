// Deletes rows that are no longer needed: deletions that every index has applied, and spaces that are out of use.
import { type RawBuilder, sql } from 'kysely';
import { type Context, transact } from '../../../context.ts';
import { sweepTables } from '../pgvector/keep.ts';
import { readSpaces } from '../spaces.ts';

const KEPT_MS = 30 * 86_400_000;
const AT_ONCE = 2_000;

// Deletes one batch; true when there may be more.
export async function sweepVectors(ctx: Context): Promise<boolean> {
  const before = new Date(ctx.clock().getTime() - KEPT_MS).toISOString();
  const isApplied = await sweepTables(ctx);
  const forgotten = isApplied ? await removeWhere(ctx, sql`deleted = 1 AND changed_at < ${before}`) : 0;
  const unused = await unusedSpace(ctx);
  const left = unused === null ? 0 : await removeWhere(ctx, sql`space = ${unused}`);
  return forgotten >= AT_ONCE || left > 0;
}

async function removeWhere(ctx: Context, condition: RawBuilder<unknown>): Promise<number> {
  return transact(
    ctx,
    async ({ tx }) => {
      const { numAffectedRows } = await sql`
        DELETE FROM vectors WHERE (space, kind, key) IN (
          SELECT space, kind, key FROM vectors WHERE ${condition} LIMIT ${AT_ONCE})`.execute(tx);
      return Number(numAffectedRows ?? 0);
    },
    'bookkeeping',
  );
}

// The query skips from one space name to the next, because a space has many rows and there are few names.
async function unusedSpace({ store }: Context): Promise<string | null> {
  const spaces = await readSpaces(store.read);
  if (!spaces) return null;
  for (let after = ''; ; ) {
    const row = await store.read
      .selectFrom('vectors')
      .select('space')
      .where('space', '>', after)
      .orderBy('space')
      .limit(1)
      .executeTakeFirst();
    if (!row) return null;
    if (row.space !== spaces.active && row.space !== spaces.filling) return row.space;
    after = row.space;
  }
}
