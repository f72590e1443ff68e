// Reads what the frame shows on every page: the site notice, the time of the last fetch, the signed-in account.
import { findUser } from '../../accounts/auth/users.ts';
import { followedTargets } from '../../accounts/following/list-follows.ts';
import { hintsAtOperator } from '../../accounts/operator-sessions.ts';
import type { Context } from '../../context.ts';
import { readSiteNotice } from '../../entities/registry/site-notice.ts';
import { csrfToken } from '../../http/kernel/forms.ts';
import type { RequestInfo } from '../../http/kernel/route.ts';
import { WEB_ASSETS } from '../assets.ts';
import type { Shell, ShellAccount } from './shell.ts';

// `known` are the parameters of the page: only they come back in its links.
export async function readShell(
  ctx: Context,
  { target, headers }: Pick<RequestInfo, 'target' | 'headers'>,
  known: readonly string[] = [],
): Promise<Shell> {
  const [{ notice }, account] = await Promise.all([readSiteNotice(ctx), readAccount(ctx)]);
  return {
    ...bareShell(ctx),
    path: target.path,
    query: new URLSearchParams([...new URLSearchParams(target.query)].filter(([name]) => known.includes(name))),
    notice: notice?.active ? notice : null,
    account,
    isAccountKnown: true,
    isOperator: headers.cookie !== undefined && hintsAtOperator(headers.cookie),
  };
}

// The path of an error page leads nowhere after sign-in.
const NOWHERE: RequestInfo['target'] = { path: '', query: '' };

// The frame of an error page. After a server error or a rate limit it reads nothing, to spare a service that is failing
// or overloaded.
export async function readFailureShell(
  ctx: Context,
  { status, recognize }: { status: number; recognize: () => Promise<Context> },
): Promise<Shell> {
  if (status >= 500 || status === 429) return bareShell(ctx);
  try {
    return await readShell(await recognize(), { target: NOWHERE, headers: {} });
  } catch {
    return bareShell(ctx);
  }
}

// A frame without the database and without the reader: it is the same for everybody.
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
    isAccountKnown: false,
    isOperator: false,
    csrf: (action) => csrfToken(ctx, action),
    assets: WEB_ASSETS.paths,
  };
}

async function readAccount(ctx: Context): Promise<ShellAccount | null> {
  const { kind, account } = ctx.caller;
  if (kind !== 'session' || !account) return null;
  const [user, followed] = await Promise.all([findUser(ctx, account.userId), followedTargets(ctx, account.userId)]);
  const { orgs, products, packages } = followed;
  return (
    user && {
      name: user.name,
      email: user.email,
      orgs: new Set(orgs),
      products: new Set(products),
      packages: new Set(packages),
    }
  );
}
