// Creates an account. Where the service sends no mail, the new account is signed in at once.

import { nextPath } from '../../accounts/auth/next-path.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showMailSent, showSignup } from '../pages/sign-in/signup.ts';
import { seeOther, visitorForm, visitorPage } from '../visit.ts';
import type { AuthClient, AuthReply } from './auth-client.ts';
import { credentialsIn, signedIn } from './login.ts';
import { type Refusal, refused, refusedField, sentence, TOO_MANY } from './refusal.ts';

export const signupForm = (auth: AuthClient): RouteDeclaration =>
  visitorForm({
    path: '/signup',
    summary: 'Create an account',
    answer: async (visit) => {
      const name = visit.form.get('name')?.trim() ?? '';
      const reply = await auth.post(visit, '/sign-up/email', { ...credentialsIn(visit), name });
      if (reply.status >= 400) return showSignup(visit, refusalOfSignUp(reply));
      return reply.fields.token === null ? showMailSent(visit) : signedIn(visit, reply);
    },
  });

// The library does not name the field of an error, so it is derived from the code and the message.
function refusalOfSignUp({ status, field, code, message }: AuthReply): Refusal {
  if (status === 429) return refused(TOO_MANY, 429);
  if (field !== null) return refusedField(field, message);
  if (/EMAIL/.test(code) || /e-?mail/i.test(message)) return refusedField('email', message);
  if (/PASSWORD/.test(code)) return refusedField('password', message);
  return /\bname\b/.test(message) ? refusedField('name', message) : refused(sentence(message));
}

// Signing out takes a form, so that a link on another site signs nobody out.

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
