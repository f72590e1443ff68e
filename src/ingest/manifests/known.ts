// The state of an org before its manifest is compared with it.

import { createHash } from 'node:crypto';
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import type { AccountInput } from '../../contract/org-input.ts';
import { accountsOf } from '../../entities/orgs/accounts.ts';
import { locationRows } from '../../entities/orgs/locations.ts';
import { aliasesOf } from '../../entities/taxonomy/entity-labels.ts';
import { toJson } from '../../store/json-text.ts';
import type { OrgRow, ProductRow, ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

export interface KnownOrg {
  org: OrgRow;
  // Primary ones first, then the oldest.
  sources: SourceRow[];
  products: ProductRow[];
  locations: ReleaseLocationRow[];
  accounts: AccountInput[];
  // The org's own domain and its aliases.
  domains: string[];
  memory: ManifestMemory;
}

export async function loadKnown(ctx: Context, orgId: string): Promise<KnownOrg> {
  const db = queries(ctx);
  const org = await db.selectFrom('orgs').selectAll().where('id', '=', orgId).executeTakeFirstOrThrow();
  const sources = await db
    .selectFrom('sources')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const products = await db
    .selectFrom('products')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const aliases = await aliasesOf(ctx, { orgId });
  return {
    org,
    sources,
    products,
    locations: await locationRows(ctx, orgId),
    accounts: await accountsOf(ctx, orgId),
    domains: org.domain ? [org.domain, ...aliases] : aliases,
    memory: await recallManifest(ctx, orgId),
  };
}

// A normalised account; null when nothing is left of it.
export function cleanHandle(platform: string, handle: string): AccountInput | null {
  const account = { platform: platform.trim().toLowerCase(), handle: handle.trim() };
  return account.platform === '' || account.handle === '' ? null : account;
}

export interface ManifestMemory {
  // A manifest that drops most locations, with the days on which this same file was read.
  shrunk: { hash: string; days: string[] } | null;
  // `platform/handle` of accounts that the manifest declared: they do not prove ownership.
  accounts: string[];
  // Product id → field → hash of the text from the manifest; a text with another hash was edited by a person.
  products: Record<string, Record<string, string>>;
}

const EMPTY: ManifestMemory = { shrunk: null, accounts: [], products: {} };

// Values of an org's manifest that are stored between two readings and have no column of their own.
async function recallManifest(ctx: Context, orgId: string): Promise<ManifestMemory> {
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
