// What has to be remembered of an org's manifest between two readings and has no column of its own.
import { createHash } from 'node:crypto';
import { type Context, now, queries, type WriteContext } from '../../context.ts';

export interface ManifestMemory {
  // A file that drops most of what was declared, and the days on which just this file was read.
  shrunk: { hash: string; days: string[] } | null;
  // `platform/handle` of accounts that came with the file: they prove nothing about the file.
  accounts: string[];
  // Product id → field → print of the text that the file gave; a text of another print is a person's.
  products: Record<string, Record<string, string>>;
}

const EMPTY: ManifestMemory = { shrunk: null, accounts: [], products: {} };

export async function recallManifest(ctx: Context, orgId: string): Promise<ManifestMemory> {
  const row = await queries(ctx)
    .selectFrom('settings')
    .select('value')
    .where('key', '=', keyOf(orgId))
    .executeTakeFirst();
  return { ...EMPTY, ...(row ? (JSON.parse(row.value) as Partial<ManifestMemory>) : {}) };
}

export async function rememberManifest(ctx: WriteContext, orgId: string, memory: ManifestMemory): Promise<void> {
  const value = JSON.stringify(memory);
  const updated_at = now(ctx);
  await ctx.tx
    .insertInto('settings')
    .values({ key: keyOf(orgId), value, updated_at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at }))
    .execute();
}

export function printOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function keyOf(orgId: string): string {
  return `manifest:${orgId}`;
}
