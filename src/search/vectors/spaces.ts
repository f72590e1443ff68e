// Which space is in use, and which one is being filled to take its place; one row for all processes.
import { z } from 'zod';
import type { Queries } from '../../store/schema.ts';

const KEY = 'vectors';

const spaces = z.object({
  active: z.string(),
  // Filled in the background after a change of embedder or recipe; null when there is none.
  filling: z.string().nullable(),
});

type Spaces = z.output<typeof spaces>;

export async function readSpaces(db: Queries): Promise<Spaces | null> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst();
  if (!row) return null;
  return spaces.parse(JSON.parse(row.value));
}

export async function writeSpaces(tx: Queries, value: Spaces, at: string): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: at };
  await tx
    .insertInto('settings')
    .values({ key: KEY, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}
