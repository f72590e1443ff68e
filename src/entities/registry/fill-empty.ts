// Fills an empty registry with data of our own in one transaction: all of it or nothing.
import { setImmediate } from 'node:timers/promises';
import { type Context, transact, type WriteContext } from '../../context.ts';

export interface FillOptions {
  onProgress?: (done: number, total: number) => void;
  // Ends the load with the reason of the signal; nothing of it stays.
  signal?: AbortSignal | undefined;
}

// Called between two steps of a load, with what is done of how much.
export type Step = (done: number, total: number) => Promise<void>;

// True when the data was loaded; a registry that holds anything is left alone. The data is prepared before the transaction.
export async function fillEmpty<Data>(
  ctx: Context,
  { onProgress = () => {}, signal }: FillOptions,
  work: { prepare: () => Data | Promise<Data>; load: (ctx: WriteContext, data: Data, step: Step) => Promise<void> },
): Promise<boolean> {
  if (await isFilled(ctx.store.read)) return false;
  const data = await work.prepare();
  const fill = async (ctx: WriteContext) => {
    await ctx.store.dialect.lock(ctx.tx, 'demo');
    if (await isFilled(ctx.tx)) return false;
    await work.load(ctx, data, async (done, total) => {
      signal?.throwIfAborted();
      onProgress(done, total);
      // The event loop answers requests and receives signals between two steps.
      await setImmediate();
    });
    signal?.throwIfAborted();
    return true;
  };
  return transact(ctx, fill);
}

async function isFilled(db: Pick<WriteContext['tx'], 'selectFrom'>): Promise<boolean> {
  return (await db.selectFrom('orgs').select('id').limit(1).executeTakeFirst()) !== undefined;
}
