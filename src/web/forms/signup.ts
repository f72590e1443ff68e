// Creates an account. Where the service sends no mail, the new account is signed in at once.

import { nextPath } from '../../accounts/auth/next-path.ts';
import { signUpCookie } from '../../accounts/auth/sign-up-browser.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showMailSent, showSignup } from '../pages/sign-in/signup.ts';
import { seeOther, visitorForm, visitorPage } from '../visit.ts';
import type { AuthClient, AuthReply } from './auth-client.ts';
import { credentialsIn, signedIn } from './login.ts';
import { type Refusal, refused, refusedField, sentence, TOO_MANY } from './refusal.ts';

export const signupForms = (auth: AuthClient): RouteDeclaration[] => [
  visitorForm({
    path: '/signup',
    summary: 'Create an account',
    answer: async (visit) => {
      const name = visit.form.get('name')?.trim() ?? '';
      const callbackURL = nextPath(visit.form.get('next'));
      const reply = await auth.post(visit, '/sign-up/email', { ...credentialsIn(visit), name, callbackURL });
      if (reply.status >= 400) return showSignup(visit, refusalOfSignUp(reply));
      if (reply.fields.token !== null) return signedIn(visit, reply);
      return showMailSent(visit).withCookies([signUpCookie(visit.ctx, visit.form.get('email') ?? '')]);
    },
  }),
  visitorForm({
    path: '/signup/again',
    summary: 'Send the link that confirms an address again',
    answer: async (visit) => {
      const callbackURL = nextPath(visit.form.get('next'));
      const email = visit.form.get('email') ?? '';
      const reply = await auth.post(visit, '/send-verification-email', { email, callbackURL });
      return showMailSent(visit, reply.status === 429 ? refused(TOO_MANY, 429) : 'again');
    },
  }),
];

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
