// Handles of an org on other platforms; a pair of platform and handle belongs to one org.
import { type Context, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { AccountInput } from '../../contract/org-input.ts';
import type { Page } from '../../contract/pagination.ts';
import { recordAudit } from '../audit.ts';
import { openOrg } from '../open.ts';
import { lockOrgs, requireFreeAccount } from '../org-claims.ts';
import { pageOfList } from '../page-of-list.ts';
import { resolveOrg } from '../resolve.ts';
import { insertAccount } from './create.ts';

// Accounts are sorted oldest first.
export async function accountsOf(ctx: Context, orgId: string): Promise<AccountInput[]> {
  const rows = await queries(ctx)
    .selectFrom('org_accounts')
    .select(['platform', 'handle'])
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('handle')
    .orderBy('platform')
    .execute();
  return rows.map(({ platform, handle }) => ({ platform, handle }));
}

export async function listAccounts(
  ctx: Context,
  input: { org: string; page: number; limit: number },
): Promise<Page<AccountInput>> {
  const accounts = await accountsOf(ctx, (await openOrg(ctx, input.org)).id);
  return pageOfList(accounts, input);
}

export async function findAccount(
  ctx: Context,
  input: { org: string; platform: string },
): Promise<AccountInput | null> {
  const accounts = await accountsOf(ctx, (await openOrg(ctx, input.org)).id);
  const wanted = input.platform.toLowerCase();
  return accounts.find((account) => account.platform === wanted) ?? null;
}

export async function addAccount(ctx: Context, input: { org: string; account: AccountInput }): Promise<AccountInput> {
  const { platform, handle } = input.account;
  return transact(ctx, async (ctx) => {
    await lockOrgs(ctx);
    const org = await resolveOrg(ctx, input.org);
    await requireFreeAccount(ctx, { platform, handle });
    await insertAccount(ctx, org.id, { platform, handle });
    const after = { platform, handle };
    await recordAudit(ctx, { action: 'org.account.add', targetType: 'org', targetId: org.id, after });
    return after;
  });
}

export async function removeAccount(ctx: Context, input: { org: string; account: AccountInput }): Promise<void> {
  const platform = input.account.platform.toLowerCase();
  const { handle } = input.account;
  await transact(ctx, async (ctx) => {
    const org = await resolveOrg(ctx, input.org);
    const result = await ctx.tx
      .deleteFrom('org_accounts')
      .where('org_id', '=', org.id)
      .where('platform', '=', platform)
      .where('handle', '=', handle)
      .executeTakeFirst();
    if (Number(result.numDeletedRows) === 0) throw notFound('account', `${platform}/${handle}`);
    const before = { platform, handle };
    await recordAudit(ctx, { action: 'org.account.remove', targetType: 'org', targetId: org.id, before });
  });
}
