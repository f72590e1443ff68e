// Signs in with a password or through an identity provider.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { redirect } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { MISMATCH, OTHER_WAY, showLogin } from '../pages/sign-in/login.ts';
import { PROVIDERS, type Provider } from '../pages/sign-in/pending-app.ts';
import { onward, type Visit, visitorForm } from '../visit.ts';
import type { AuthClient, AuthReply } from './auth-client.ts';
import { type Refusal, refused, sentence, TOO_MANY, tooMany } from './refusal.ts';

export function loginForms(auth: AuthClient): RouteDeclaration[] {
  return [
    visitorForm({
      path: '/login',
      summary: 'Sign in',
      answer: async (visit) => {
        const reply = await auth.post(visit, '/sign-in/email', credentialsIn(visit));
        return reply.status < 400 ? signedIn(visit, reply) : showLogin(visit, refusalOfSignIn(reply));
      },
    }),
    signInWith(auth, 'github'),
    signInWith(auth, 'google'),
  ];
}

function signInWith(auth: AuthClient, provider: Provider): RouteDeclaration {
  return visitorForm({
    path: `/login/${provider}`,
    summary: `Sign in with ${PROVIDERS[provider]}`,
    answer: async (visit) => {
      const request = visit.form.get('oauth_query');
      const reply = await auth.post(visit, '/sign-in/social', {
        provider,
        callbackURL: nextPath(visit.form.get('next')),
        errorCallbackURL: '/login',
        ...(request ? { oauth_query: request } : {}),
      });
      const { url } = reply.fields;
      if (reply.status < 400 && typeof url === 'string') return redirect(url).withCookies(reply.cookies);
      return showLogin(visit, reply.status === 429 ? refused(TOO_MANY, 429) : OTHER_WAY);
    },
  });
}

// The message never says whether the e-mail address or the password was wrong.
function refusalOfSignIn({ status, code, message, retrySeconds }: AuthReply): Refusal {
  if (status === 429) return refused(tooMany(retrySeconds), 429);
  if (code === 'EMAIL_NOT_VERIFIED') {
    return refused('Confirm your address first; the link has been sent to you again.');
  }
  return refused(status === 503 ? sentence(message) : MISMATCH);
}

export function credentialsIn({ form }: Visit): Record<string, unknown> {
  const request = form.get('oauth_query');
  return {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    ...(request ? { oauth_query: request } : {}),
  };
}

// After sign-in the reader continues to the app that requested it, otherwise to the requested page.
export function signedIn(visit: Visit, { fields, cookies }: AuthReply) {
  const app = fields.redirect === true && typeof fields.url === 'string' ? fields.url : null;
  return (app === null ? onward(visit) : redirect(app)).withCookies(cookies);
}
