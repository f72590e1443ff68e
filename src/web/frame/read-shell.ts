// Reads what the frame shows on every page: the site notice, the last fetch, who is signed in.
import { findUser } from '../../accounts/auth/users.ts';
import { followedTargets } from '../../accounts/following/list-follows.ts';
import { readSiteNotice } from '../../catalog/registry/site-notice.ts';
import type { Context } from '../../context.ts';
import { csrfToken } from '../../http/kernel/forms.ts';
import { WEB_ASSETS } from '../assets.ts';
import type { Shell, ShellAccount } from './shell.ts';

export async function readShell(ctx: Context, target: { path: string; query: string }): Promise<Shell> {
  const [{ notice }, account] = await Promise.all([readSiteNotice(ctx), readAccount(ctx)]);
  return {
    ...bareShell(ctx),
    path: target.path,
    query: new URLSearchParams(target.query),
    notice: notice?.active ? notice : null,
    account,
  };
}

// Without the database, for pages that say what went wrong.
export function bareShell(ctx: Context): Shell {
  return {
    siteName: ctx.config.siteName,
    webUrl: ctx.config.webUrl,
    version: WEB_ASSETS.version,
    now: ctx.clock().getTime(),
    path: '',
    query: new URLSearchParams(),
    notice: null,
    lastFetchAt: null,
    account: null,
    csrf: (action) => csrfToken(ctx, action),
    assets: WEB_ASSETS.paths,
  };
}

async function readAccount(ctx: Context): Promise<ShellAccount | null> {
  const { kind, account } = ctx.caller;
  if (kind !== 'session' || !account) return null;
  const [user, { orgs, products }] = await Promise.all([
    findUser(ctx, account.userId),
    followedTargets(ctx, account.userId),
  ]);
  return user && { name: user.name, email: user.email, orgs: new Set(orgs), products: new Set(products) };
}
