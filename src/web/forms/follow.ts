// Follows and unfollows. The answer is a redirect to the page of the button, or JSON for its script.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { cookieNamed, isSecure } from '../../accounts/auth/session-cookie.ts';
import { follow, unfollow } from '../../accounts/following/follow.ts';
import type { Context } from '../../context.ts';
import { type FollowInput, followInput } from '../../contract/account.ts';
import { ApiError } from '../../contract/errors.ts';
import { text } from '../../contract/query.ts';
import { refuseNul, requireOwnForm, requireTrustedOrigin } from '../../http/kernel/forms.ts';
import { JSON_TYPE, Reply, redirect } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';
import { accountPage, onward } from '../visit.ts';

// A reader who is not signed in has pressed the button: the wish is kept in a cookie that only a form of this site can
// set, and done when the sign-in leads here.
const AFTER_SIGN_IN = '/follow/after-sign-in';
const WISH = 'registry_follow';
const WISH_SECONDS = 3600;

function wishCookie({ config }: Context, wish: FollowInput | null): string {
  const value = wish ? `${wish.targetType}.${encodeURIComponent(wish.targetId)}` : '';
  const secure = isSecure({ baseUrl: config.webUrl }) ? '; Secure' : '';
  return `${WISH}=${value}; Max-Age=${wish ? WISH_SECONDS : 0}; Path=/follow; HttpOnly${secure}; SameSite=Lax`;
}

export const followAfterSignIn = accountPage({
  path: AFTER_SIGN_IN,
  summary: 'Follow what a reader asked for before signing in',
  query: { next: text({ max: 2000 }) },
  answer: async (visit) => {
    const { ctx, request } = visit;
    const wish = wishIn(cookieNamed(request.headers.cookie ?? '', WISH) ?? '');
    // What has been deleted meanwhile is not followed; the page says so by itself.
    if (wish.success) await follow(ctx, wish.data).catch(ignoreNotFound);
    return onward(visit).withCookies([wishCookie(ctx, null)]);
  },
});

// The key of a package has dots of its own.
function wishIn(cookie: string) {
  const [, targetType, targetId] = /^(\w+)\.(.+)$/.exec(cookie) ?? [];
  return followInput.safeParse({ targetType, targetId });
}

// Ids, and keys of packages such as `npm:@scope/name`.
const WISHED = /^[\w.~:@/-]+$/;

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

export const followPost = route({
  method: 'POST',
  path: '/follow',
  summary: 'Follow an organization, a product or a package, or no longer',
  tag: 'Pages',
  access: 'visitor',
  query: null,
  // The form of a reader who is not signed in carries no CSRF token.
  accepts: 'any',
  answers: null,
  cache: 'never',
  negotiates: ['html', 'json'],
  run: async (ctx, _input, request) => {
    const { form, format } = request;
    if (form === null) throw new ApiError('bad_request', 'a form is expected');
    refuseNul([...form]);
    const next = nextPath(form.get('next'));
    const target = followInput.safeParse({ targetType: form.get('type'), targetId: form.get('id') });
    if (ctx.caller.kind !== 'session') {
      if (format === 'json') throw new ApiError('unauthorized', 'sign in first');
      // Another site must not decide what a reader follows after the next sign-in.
      requireTrustedOrigin(ctx.config, request.headers);
      const wish = target.success && WISHED.test(target.data.targetId) ? target.data : null;
      const after = wish ? `${AFTER_SIGN_IN}?${new URLSearchParams({ next })}` : next;
      const reply = redirect(`${ctx.config.webUrl}/login?${new URLSearchParams({ next: after })}`);
      return wish ? reply.withCookies([wishCookie(ctx, wish)]) : reply;
    }
    requireOwnForm(ctx, { ...request, form });
    const action = form.get('action');
    if (!target.success || (action !== 'follow' && action !== 'unfollow')) {
      throw new ApiError('bad_request', 'what to follow is not complete');
    }
    if (action === 'follow') await follow(ctx, target.data);
    else await unfollow(ctx, target.data);
    if (format !== 'json') return redirect(`${ctx.config.webUrl}${next}`);
    return new Reply(200, JSON.stringify({ following: action === 'follow' }), { 'Content-Type': JSON_TYPE });
  },
});
