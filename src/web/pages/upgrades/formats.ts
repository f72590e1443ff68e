// The page of an upgrade in the formats for programs, the same for everybody.
import type { Context } from '../../../context.ts';
import { ANONYMOUS } from '../../../contract/caller.ts';
import { FORMAT_TYPES, Reply } from '../../../http/kernel/reply.ts';
import { markdownReply } from '../../formats/markdown.ts';
import { upgradeMarkdown } from './document.ts';
import { type AskedUpgrade, loadUpgrade } from './load.ts';

// An anonymous caller that still orders what is missing, unless it is a crawler.
function asAnybody(ctx: Context): Context {
  const { passive, unread } = ctx.caller;
  return { ...ctx, caller: { ...ANONYMOUS, ...(passive && { passive }), ...(unread && { unread }) } };
}

export async function upgradeJson(ctx: Context, asked: AskedUpgrade): Promise<Reply> {
  const view = await loadUpgrade(asAnybody(ctx), asked, { asker: 'api', suffix: '.json' });
  if (view instanceof Reply) return view;
  return new Reply(200, JSON.stringify(view.answer), { 'Content-Type': FORMAT_TYPES.json });
}

export async function upgradeText(ctx: Context, asked: AskedUpgrade): Promise<Reply> {
  const view = await loadUpgrade(asAnybody(ctx), asked, { asker: 'api', suffix: '.md' });
  if (view instanceof Reply) return view;
  const { webUrl, packages } = ctx.config;
  return markdownReply(upgradeMarkdown(view, { webUrl, check: packages.checkCommand }));
}
