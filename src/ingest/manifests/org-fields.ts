// Applies what a manifest says about the org itself. A value that a person has set stays.
import { findCategory } from '../../catalog/orgs/category.ts';
import { insertAccount } from '../../catalog/orgs/create.ts';
import { addTags } from '../../catalog/orgs/entity-tags.ts';
import { updateOrg } from '../../catalog/orgs/update.ts';
import type { WriteContext } from '../../context.ts';
import type { ManifestFile } from '../../contract/manifest-file.ts';
import type { OrgChange } from '../../contract/org-input.ts';
import { keysOf } from '../../domain/records.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import { cleanHandle, type KnownOrg } from './known.ts';
import { usableTags } from './products.ts';

const COLUMNS = { description: 'description', category: 'category', avatarUrl: 'avatar_url' } as const;

export async function writeOrgFields(ctx: WriteContext, known: KnownOrg, file: ManifestFile): Promise<void> {
  const { org } = known;
  const given = {
    description: file.description?.trim() || undefined,
    category: (file.category && (await findCategory(ctx, file.category))) || undefined,
    avatarUrl: file.avatar,
  };
  const declared = new Set<string>(parseJson(org.self_declared));
  const change: OrgChange = {};
  for (const field of keysOf(COLUMNS)) {
    const column = COLUMNS[field];
    const value = given[field];
    const stored = org[column];
    if (value === undefined || (stored !== null && !declared.has(column))) continue;
    declared.add(column);
    if (value !== stored) Object.assign(change, { [field]: value });
  }
  if (Object.keys(change).length > 0) await updateOrg(ctx, { org: org.id, change });
  // Other updates mark a field as set by a person; this one must not.
  const self_declared = toJson([...declared].sort());
  await ctx.tx.updateTable('orgs').set({ self_declared }).where('id', '=', org.id).execute();
  await addTags(ctx, { orgId: org.id }, usableTags(file.tags));
  await addSocial(ctx, known, file.social ?? {});
}

// An account that belongs to another org stays there: a manifest is no proof against a stored account.
async function addSocial(ctx: WriteContext, { org, memory }: KnownOrg, social: Record<string, string>): Promise<void> {
  for (const account of await freeAccounts(ctx, social)) {
    await insertAccount(ctx, org.id, account);
    memory.accounts.push(`${account.platform}/${account.handle}`);
  }
}

export async function freeAccounts(
  ctx: WriteContext,
  social: Record<string, string>,
): Promise<{ platform: string; handle: string }[]> {
  const named = Object.entries(social).flatMap(([platform, handle]) => cleanHandle(platform, handle) ?? []);
  const free = [];
  for (const account of named) {
    const taken = await ctx.tx
      .selectFrom('org_accounts')
      .select('id')
      .where('platform', '=', account.platform)
      .where('handle', '=', account.handle)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!taken) free.push(account);
  }
  return free;
}
