// The site notice. Visitors see it while it is active; an operator sees it in every state.
import { type Context, now, queries, transact } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import type { SiteNotice, SiteNoticeAnswer, SiteNoticeInput } from '../../contract/notice.ts';
import { toJson } from '../../store/json-text.ts';
import { findSetting, writeSetting } from '../../store/settings.ts';
import { recordAudit } from '../audit.ts';

const KEY = 'site_notice';

export async function readSiteNotice(ctx: Context): Promise<SiteNoticeAnswer> {
  const notice = await storedNotice(ctx);
  return { notice: notice?.active || holdsScope(ctx.caller, 'admin') ? notice : null };
}

export async function putSiteNotice(ctx: Context, input: SiteNoticeInput): Promise<SiteNoticeAnswer> {
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, KEY);
    const before = await storedNotice(ctx);
    await writeSetting(ctx.tx, { key: KEY, value: toJson(textOf(input)), updated_at: now(ctx) });
    const after = await storedNotice(ctx);
    await recordAudit(ctx, {
      action: 'site_notice.replace',
      targetType: 'site_notice',
      targetId: KEY,
      before,
      after,
    });
    return { notice: after };
  });
}

async function storedNotice(ctx: Context): Promise<SiteNotice | null> {
  const row = await findSetting(queries(ctx), KEY);
  return row ? { ...JSON.parse(row.value), updatedAt: row.updated_at } : null;
}

function textOf({ active, message, linkText, href, placement, color, dismissible }: SiteNoticeInput) {
  return {
    active,
    message,
    ...(linkText ? { linkText } : {}),
    ...(href ? { href } : {}),
    placement,
    color,
    dismissible,
  };
}
