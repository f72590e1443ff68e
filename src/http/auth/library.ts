// Translates requests to the sign-in library and its responses, and removes what neither side should see.

import type { Library } from '../../accounts/auth/library.ts';
import {
  ADDRESS_HEADER,
  type Background,
  createBackground,
  type LibraryParts,
} from '../../accounts/auth/library-parts.ts';
import { createMailer } from '../../accounts/auth/mail.ts';
import { sessionCookieName } from '../../accounts/auth/session-cookie.ts';
import type { Context } from '../../context.ts';
import { AUTH_PATH, type AuthCall } from './call.ts';
import type { AuthParts } from './route.ts';

const PASSED_ON = ['accept', 'user-agent'];

export function createAuthParts(ctx: Context): AuthParts {
  const background: Background = createBackground(ctx);
  const mailer = createMailer(ctx);
  let loaded: Promise<Library> | null = null;
  const library = () => {
    loaded ??= loadLibrary(ctx, { mailer, background }).catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
  return {
    mailer,
    background,
    library,
    async pass(call) {
      return (await library()).handler(toRequest(call));
    },
  };
}

async function loadLibrary(ctx: Context, parts: LibraryParts): Promise<Library> {
  const { createLibrary } = await import('../../accounts/auth/library.ts');
  const { retireUnreadableKeys } = await import('../../accounts/auth/signing-keys.ts');
  await retireUnreadableKeys(ctx);
  return createLibrary(ctx, parts);
}

function toRequest(call: AuthCall): Request {
  const { ctx, method, path, query, body } = call;
  const headers = passedHeaders(call);
  const url = `${ctx.config.baseUrl}${AUTH_PATH}${path}${query.size > 0 ? `?${query}` : ''}`;
  if (method === 'GET') return new Request(url, { method, headers });
  if (body && 'form' in body) return new Request(url, { method, headers, body: body.form });
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(body?.json ?? {}) });
}

// A session that this service has ended is not passed to the library, and neither is a cookie beside a bearer token.
function passedHeaders({ ctx, request }: AuthCall): Headers {
  const { headers: given, client, byCookie } = request;
  const headers = new Headers({ [ADDRESS_HEADER]: client.ip });
  for (const name of PASSED_ON) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const cookies = given.cookie === undefined ? '' : passedCookies(given.cookie, byCookie ? null : ctx);
  if (cookies) headers.set('cookie', cookies);
  if (given.authorization !== undefined && !byCookie) headers.set('authorization', given.authorization);
  return headers;
}

function passedCookies(cookies: string, without: Context | null): string {
  if (without === null) return cookies;
  const dropped = sessionCookieName(without.config);
  return cookies
    .split(';')
    .filter((cookie) => cookie.split('=', 1)[0]?.trim() !== dropped)
    .join(';')
    .trim();
}
