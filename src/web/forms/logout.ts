// Signing out takes a form, so that a link on another site signs nobody out.
import { nextPath } from '../../accounts/auth/next-path.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { seeOther, visitorForm, visitorPage } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';

export const logoutLink = visitorPage({
  path: '/logout',
  summary: 'Back to the home page, still signed in',
  answer: async (visit) => seeOther(visit, '/'),
});

export const logoutForm = (auth: AuthClient): RouteDeclaration =>
  visitorForm({
    path: '/logout',
    summary: 'Sign out',
    answer: async (visit) => {
      const { cookies } = await auth.post(visit, '/sign-out', {});
      const next = visit.form.get('next');
      return seeOther(visit, next === null ? '/' : nextPath(next)).withCookies(cookies);
    },
  });
