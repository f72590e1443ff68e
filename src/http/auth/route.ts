// Routes in front of the sign-in library. The kernel checks limits, origin and session; the handler decides what is
// passed to the library and what is returned.

import { accountGivenTo, rememberDevice } from '../../accounts/auth/known-devices.ts';
import type { Library } from '../../accounts/auth/library.ts';
import type { Background } from '../../accounts/auth/library-parts.ts';
import type { Mailer } from '../../accounts/auth/mail.ts';
import { ApiError } from '../../contract/errors.ts';
import type { SessionAccess } from '../kernel/caller.ts';
import { PRIVATE } from '../kernel/headers.ts';
import type { LimiterName } from '../kernel/limits.ts';
import { Reply } from '../kernel/reply.ts';
import { type HttpMethod, type RouteDeclaration, route } from '../kernel/route.ts';
import { type AuthCall, readAuthCall } from './call.ts';
import { type ErrorFormat, failureFormat, inFormat } from './errors.ts';

export interface AuthParts {
  mailer: Mailer;
  background: Background;
  library(): Promise<Library>;
  // Passes a call to the library.
  pass(call: AuthCall): Promise<Response>;
}

export type AuthHandler = (call: AuthCall, parts: AuthParts) => Promise<Response>;

export interface AuthRoute {
  method: Extract<HttpMethod, 'GET' | 'POST'>;
  // The path below /api/auth.
  path: string;
  format: ErrorFormat;
  access: 'public' | SessionAccess;
  limiters?: readonly LimiterName[];
  handle: AuthHandler;
}

export function authRoute(parts: AuthParts, { method, path, format, access, limiters, handle }: AuthRoute) {
  return route({
    method,
    path,
    summary: `Sign-in: ${path}`,
    tag: 'Sign-in',
    access,
    query: null,
    accepts: 'any',
    answers: null,
    cache: 'never',
    failure: failureFormat(format),
    ...(limiters && { limiters }),
    run: async (ctx, { body }, request): Promise<Reply> => {
      const call = readAuthCall(ctx, { method, body }, request);
      try {
        const response = await inFormat(await handle(call, parts), format);
        return await responseReply(response, { path, device: await knownFromNowOn(call, response) });
      } catch (error) {
        if (!ctx.store.dialect.isUniqueViolation(error)) throw error;
        throw new ApiError('conflict', 'it already exists: somebody else was faster');
      }
    },
  }) satisfies RouteDeclaration;
}

// The library's CORS headers and tokens in headers are not passed on.
const PASSED_BACK = ['Content-Type', 'Location', 'WWW-Authenticate', 'Retry-After'];
const JWKS_SECONDS = 300;

// A browser that is given a session is known to its account from now on.
async function knownFromNowOn({ ctx, request }: AuthCall, response: Response): Promise<string[]> {
  const userId = await accountGivenTo(ctx, response.headers.getSetCookie());
  return userId === null ? [] : [await rememberDevice(ctx, { cookies: request.headers.cookie ?? '', userId })];
}

async function responseReply(
  response: Response,
  { path, device }: { path: string; device: readonly string[] },
): Promise<Reply> {
  const headers = PASSED_BACK.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const isPublic = path === '/jwks' && response.status === 200;
  headers.push(['Cache-Control', isPublic ? `public, max-age=${JWKS_SECONDS}` : PRIVATE]);
  const text = await response.text();
  const body = text === '' && response.status >= 300 ? null : Buffer.from(text);
  return new Reply(response.status, body, Object.fromEntries(headers)).withCookies([
    ...response.headers.getSetCookie(),
    ...device,
  ]);
}
