// What has to be remembered of an org's manifest between two readings and has no column of its own.
import { createHash } from 'node:crypto';
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

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
  return { ...EMPTY, ...(await readSetting<Partial<ManifestMemory>>(queries(ctx), keyOf(orgId))) };
}

export async function rememberManifest(ctx: WriteContext, orgId: string, memory: ManifestMemory): Promise<void> {
  await writeSetting(ctx.tx, { key: keyOf(orgId), value: toJson(memory), updated_at: now(ctx) });
}

export function printOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function keyOf(orgId: string): string {
  return `manifest:${orgId}`;
}
