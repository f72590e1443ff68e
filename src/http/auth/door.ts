// The door in front of the sign-in library. It lets through what the service offers and nothing else, in an order of
// checks that is the same for every route.
import type { Background } from '../../accounts/auth/background.ts';
import type { Library } from '../../accounts/auth/library.ts';
import type { Mailer } from '../../accounts/auth/mail.ts';
import { requireSecrets } from '../../accounts/sealing.ts';
import { ApiError } from '../../contract/errors.ts';
import { requireTrustedOrigin } from '../kernel/origin.ts';
import { AUTH_PATH, type AuthCall, withSession } from './call.ts';
import { type ErrorForm, errorResponse, inForm } from './errors.ts';
import { EVERY_POST, takeByAddress } from './limits.ts';

// none: sessions do not matter; any: used when there is one; needed: 401 without one; recent: by cookie, and signed in
// within a day.
type SessionRule = 'none' | 'any' | 'needed' | 'recent';

export interface AuthRoute {
  methods: readonly ('GET' | 'POST')[];
  // Below /api/auth; a last segment `:name` stands for any.
  path: string;
  form: ErrorForm;
  session: SessionRule;
  handle: (call: AuthCall, parts: AuthParts) => Promise<Response>;
}

export interface AuthParts {
  mailer: Mailer;
  background: Background;
  library(): Promise<Library>;
  // Passes a call on to the library.
  pass(call: AuthCall): Promise<Response>;
}

export interface AuthDoor {
  answer(call: AuthCall): Promise<Response>;
}

const RECENT_MS = 86_400_000;

export function createAuthDoor(routes: readonly AuthRoute[], parts: AuthParts): AuthDoor {
  return {
    async answer(call) {
      const matched = routes.filter((route) => matches(route.path, call.path));
      const form = matched[0]?.form ?? 'plain';
      try {
        if (call.method === 'POST') await takeByAddress(call.ctx, call.exchange, [EVERY_POST]);
        const route = chosen(matched, call);
        requireSecrets(call.ctx);
        return await inForm(await route.handle(await admitted(route, call), parts), form);
      } catch (error) {
        if (error instanceof ApiError) return errorResponse(error, form);
        if (!call.ctx.store.dialect.isUniqueViolation(error)) throw error;
        return errorResponse(new ApiError('conflict', 'it already exists: somebody else was faster'), form);
      }
    },
  };
}

function matches(template: string, path: string): boolean {
  if (!template.includes(':')) return template === path;
  const fixed = template.slice(0, template.indexOf(':'));
  return path.startsWith(fixed) && /^[\w-]+$/.test(path.slice(fixed.length));
}

function chosen(matched: readonly AuthRoute[], { method, path }: AuthCall): AuthRoute {
  const route = matched.find(({ methods }) => methods.includes(method as 'GET'));
  if (route) return route;
  if (matched.length === 0) throw new ApiError('not_found', `no such route: ${method} ${AUTH_PATH}${path}`);
  const allow = matched.flatMap(({ methods }) => methods).join(', ');
  throw new ApiError('method_not_allowed', `method not allowed: ${method} ${AUTH_PATH}${path}`, undefined, {
    Allow: allow,
  });
}

async function admitted(route: AuthRoute, call: AuthCall): Promise<AuthCall> {
  if (route.session === 'none') return call;
  const known = await withSession(call);
  if (known.byCookie && known.method !== 'GET') {
    requireTrustedOrigin(call.ctx.config, call.exchange.request.headers);
  }
  if (route.session === 'any') return known;
  if (known.session === null) throw new ApiError('unauthorized', 'sign in first');
  if (route.session === 'recent') requireRecent(known);
  return known;
}

function requireRecent({ ctx, session, byCookie }: AuthCall): void {
  if (!byCookie) {
    throw new ApiError('forbidden', 'this needs a session in a browser', { reason: 'session_required' });
  }
  if (ctx.clock().getTime() - Date.parse(session?.createdAt ?? '') <= RECENT_MS) return;
  throw new ApiError('forbidden', 'sign in again first', { reason: 'recent_sign_in_required' });
}
