// URLs that must never become a source or a release of an org.
import { type Context, now, queries, transact } from '../../context.ts';
import type { IgnoredUrl } from '../../contract/org-input.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { IgnoredUrlRow } from '../../store/schema/operation.ts';
import { recordAudit } from '../audit.ts';
import { openOrg } from '../open.ts';
import { resolveOrg } from '../resolve.ts';

export async function listIgnoredUrls(
  ctx: Context,
  input: { org: string; page: number; limit: number },
): Promise<Page<IgnoredUrl>> {
  const org = await openOrg(ctx, input.org);
  const ignored = queries(ctx).selectFrom('ignored_urls').where('org_id', '=', org.id);
  const total = await ignored.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await ignored
    .selectAll()
    .orderBy('ignored_at', 'desc')
    .orderBy('id', 'desc')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const pagination = paginate({ ...input, returned: rows.length, total: Number(total?.total ?? 0) });
  return { items: rows.map(toIgnoredUrl), pagination };
}

export async function findIgnoredUrl(ctx: Context, input: { org: string; url: string }): Promise<IgnoredUrl | null> {
  const org = await openOrg(ctx, input.org);
  const row = await queries(ctx)
    .selectFrom('ignored_urls')
    .selectAll()
    .where('org_id', '=', org.id)
    .where('url_key', '=', normalizeUrl(input.url) ?? '')
    .executeTakeFirst();
  return row ? toIgnoredUrl(row) : null;
}

export async function ignoreUrl(
  ctx: Context,
  input: { org: string; url: string; reason?: string },
): Promise<{ ignored: true }> {
  return transact(ctx, async (ctx) => {
    const org = await resolveOrg(ctx, input.org);
    const row: IgnoredUrlRow = {
      id: newId('iu', ctx.randomBytes),
      org_id: org.id,
      url: input.url,
      url_key: normalizeUrl(input.url) ?? input.url,
      reason: input.reason || null,
      ignored_at: now(ctx),
    };
    const added = await ctx.tx
      .insertInto('ignored_urls')
      .values(row)
      .onConflict((oc) => oc.columns(['org_id', 'url_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added) {
      const after = toIgnoredUrl(row);
      await recordAudit(ctx, { action: 'org.ignored_url.add', targetType: 'org', targetId: org.id, after });
    }
    return { ignored: true };
  });
}

export async function unignoreUrl(ctx: Context, input: { org: string; url: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    const org = await resolveOrg(ctx, input.org);
    const gone = await ctx.tx
      .deleteFrom('ignored_urls')
      .where('org_id', '=', org.id)
      .where('url_key', '=', normalizeUrl(input.url) ?? input.url)
      .returningAll()
      .executeTakeFirst();
    if (!gone) return;
    const before = toIgnoredUrl(gone);
    await recordAudit(ctx, { action: 'org.ignored_url.remove', targetType: 'org', targetId: org.id, before });
  });
}

function toIgnoredUrl(row: IgnoredUrlRow): IgnoredUrl {
  return { id: row.id, url: row.url, orgId: row.org_id, reason: row.reason, ignoredAt: row.ignored_at };
}
