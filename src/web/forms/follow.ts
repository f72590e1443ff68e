// Follows and unfollows. The answer is a redirect to the page of the button, or JSON for its script.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { follow, unfollow } from '../../accounts/following/follow.ts';
import { followInput } from '../../contract/account.ts';
import { ApiError } from '../../contract/errors.ts';
import { refuseNul, requireOwnForm } from '../../http/kernel/forms.ts';
import { JSON_TYPE, Reply, redirect } from '../../http/kernel/reply.ts';
import { route } from '../../http/kernel/route.ts';

export const followPost = route({
  method: 'POST',
  path: '/follow',
  summary: 'Follow an organization or a product, or no longer',
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
    if (ctx.caller.kind !== 'session') {
      if (format === 'json') throw new ApiError('unauthorized', 'sign in first');
      return redirect(`${ctx.config.webUrl}/login?${new URLSearchParams({ next })}`);
    }
    requireOwnForm(ctx, { ...request, form });
    const target = followInput.safeParse({ targetType: form.get('type'), targetId: form.get('id') });
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
