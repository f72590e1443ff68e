// The change from one vector space to the next: the new one is filled while the old one is in use, and replaces it when it has
// as many vectors.
import { type Context, now, transact } from '../../../context.ts';
import type { VectorKind } from '../../../ports.ts';
import { readSpaces, writeSpaces } from '../spaces.ts';

const KINDS: readonly VectorKind[] = ['release', 'chunk', 'entity'];
const ENOUGH = 0.99;

// Registers the embedder's space. True while it is being filled and another one is in use.
export async function enterSpace(ctx: Context, space: string): Promise<boolean> {
  const known = await readSpaces(ctx.store.read);
  if (known?.active === space && known.filling === null) return false;
  if (known?.filling === space) return true;
  const next =
    known === null || known.active === space ? { active: space, filling: null } : { ...known, filling: space };
  await transact(ctx, (ctx) => writeSpaces(ctx.tx, next, now(ctx)), 'bookkeeping');
  return next.filling !== null;
}

// Takes the filled space into use once it has enough vectors.
export async function leaveOldSpace(
  ctx: Context,
  { space, complete }: { space: string; complete: boolean },
): Promise<boolean> {
  const known = await readSpaces(ctx.store.read);
  if (known?.filling !== space) return false;
  if (!complete && !(await hasEnough(ctx, known.active, space))) return false;
  await transact(ctx, (ctx) => writeSpaces(ctx.tx, { active: space, filling: null }, now(ctx)), 'bookkeeping');
  ctx.log.info({ space, before: known.active }, 'another vector space is in use');
  return true;
}

async function hasEnough(ctx: Context, before: string, space: string): Promise<boolean> {
  const [old, filled] = [await countsOf(ctx, before), await countsOf(ctx, space)];
  return KINDS.every((kind) => (filled.get(kind) ?? 0) >= (old.get(kind) ?? 0) * ENOUGH);
}

async function countsOf({ store }: Context, space: string): Promise<Map<string, number>> {
  const rows = await store.read
    .selectFrom('vectors')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('space', '=', space)
    .where('deleted', '=', 0)
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
}
