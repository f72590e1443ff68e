// Sign-in as lists of routes: those in front of the library, the OAuth metadata documents, and the sessions of the
// operator area. The pages for it are in src/web.

import { hasSessionCookie, readSessionCookie } from '../../accounts/auth/session-cookie.ts';
import { findSession } from '../../accounts/auth/sessions.ts';
import { type Credentials, sessionCaller } from '../../accounts/credentials.ts';
import { requireSecrets } from '../../accounts/sealing.ts';
import type { Context } from '../../context.ts';
import type { ApiError } from '../../contract/errors.ts';
import type { CredentialCheck } from '../kernel/caller.ts';
import type { Reply } from '../kernel/reply.ts';
import type { RouteDeclaration, RouteGroup } from '../kernel/route.ts';
import { AUTH_PATH } from './call.ts';
import { discoveryRoutes } from './discovery.ts';
import { failureFormat } from './errors.ts';
import { createAuthParts } from './library.ts';
import { operatorRoutes } from './operator.ts';
import { authRoutes } from './routes.ts';

interface Auth {
  // The routes below /api/auth, which pages call on behalf of their readers.
  routes: readonly RouteDeclaration[];
  groups: RouteGroup[];
  // Waits for mails that are still being sent.
  settle(): Promise<void>;
}

interface AuthPages {
  // Renders the page for a wrong token in the form of the operator area.
  operatorRefused?: (ctx: Context, error: ApiError) => Reply;
}

export function createAuth(
  ctx: Context,
  credentials: Pick<Credentials, 'identify' | 'operators'>,
  { operatorRefused }: AuthPages = {},
): Auth {
  const parts = createAuthParts(ctx);
  const routes = authRoutes(parts);
  return {
    routes,
    settle: parts.background.settle,
    groups: [
      {
        prefix: AUTH_PATH,
        routes,
        credentials: sessionCredentials(ctx),
        requires: requireSecrets,
        postLimiter: 'auth',
        failure: failureFormat('plain'),
        ownsUnmatched: true,
        vary: ['Authorization', 'Cookie'],
      },
      { prefix: '', routes: operatorRoutes(credentials, operatorRefused), vary: ['Cookie'] },
      { prefix: '', routes: discoveryRoutes(ctx.config) },
    ],
  };
}

// Only sessions are accepted, as a cookie or as a bearer token. The library renews their cookies itself.
function sessionCredentials(ctx: Context): CredentialCheck {
  const callerOf = async (token: string | null) => {
    const session = token === null ? null : await findSession(ctx, token);
    return session && sessionCaller(session);
  };
  return {
    identify: callerOf,
    identifyCookie: async (cookies) => {
      const caller = await callerOf(readSessionCookie(ctx, cookies));
      return caller && { caller, setCookie: null };
    },
    hasSession: (cookies) => hasSessionCookie(ctx, cookies),
  };
}
