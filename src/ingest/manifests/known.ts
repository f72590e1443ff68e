// What the registry knows of an org before its manifest is compared with it.
import { accountsOf } from '../../catalog/orgs/accounts.ts';
import { aliasesOf } from '../../catalog/orgs/entity-aliases.ts';
import { locationRows } from '../../catalog/orgs/locations.ts';
import { type Context, queries } from '../../context.ts';
import type { AccountInput } from '../../contract/org-input.ts';
import type { OrgRow, ProductRow, ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { type ManifestMemory, recallManifest } from './memory.ts';

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

// An account as it is stored; null when nothing is left of it.
export function cleanHandle(platform: string, handle: string): AccountInput | null {
  const account = { platform: platform.trim().toLowerCase(), handle: handle.trim() };
  return account.platform === '' || account.handle === '' ? null : account;
}
