// Reads what the frame shows on every page: the site notice, the last fetch, who is signed in.
import { readSiteNotice } from '../../catalog/registry/site-notice.ts';
import type { Context } from '../../context.ts';
import { WEB_ASSETS } from '../assets.ts';
import type { Shell } from './shell.ts';

export async function readShell(ctx: Context, target: { path: string; query: string }): Promise<Shell> {
  const { notice } = await readSiteNotice(ctx);
  return {
    siteName: ctx.config.siteName,
    webUrl: ctx.config.webUrl,
    version: WEB_ASSETS.version,
    now: ctx.clock().getTime(),
    path: target.path,
    query: new URLSearchParams(target.query),
    notice: notice?.active ? notice : null,
    lastFetchAt: null,
    account: null,
    assets: WEB_ASSETS.paths,
  };
}
