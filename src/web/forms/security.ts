// Forms for the e-mail address, the password, sessions, apps and the deletion of the account. The sign-in routes decide
// about them.
import { revokeApp } from '../../accounts/auth/apps.ts';
import { signInMethods } from '../../accounts/auth/users.ts';
import type { Reply } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { type RefusedSecurity, showLink, showSecurity } from '../pages/account/security.ts';
import { PROVIDERS } from '../pages/sign-in/pending-app.ts';
import { accountForm, seeOther, type Visit } from '../visit.ts';
import type { AuthClient, AuthReply } from './auth-client.ts';
import { isTicked } from './parse.ts';
import { refused, refusedField, sentence, TOO_MANY } from './refusal.ts';

type SecurityAnswer = (visit: Visit, auth: AuthClient) => Promise<Reply | RefusedSecurity>;

export const securityForms = (auth: AuthClient): RouteDeclaration[] => [
  form(auth, 'password', 'Change the password', changePassword),
  form(auth, 'email', 'Change the address', changeEmail),
  form(auth, 'sign-out', 'End a session, or all others', endSessions),
  form(auth, 'revoke-app', 'End the access of an app', async (visit) => {
    await revokeApp(visit.ctx, { clientId: visit.form.get('clientId') ?? '' });
    return done(visit, 'app');
  }),
  form(auth, 'link', 'Link another way to sign in', linkProvider),
  form(auth, 'delete', 'Delete the account', deleteAccount),
];

function form(auth: AuthClient, name: string, summary: string, run: SecurityAnswer): RouteDeclaration {
  return accountForm({
    path: `/account/security/${name}`,
    summary,
    answer: async (visit) => {
      const answer = await run(visit, auth);
      return 'refusal' in answer ? showSecurity(visit, auth, answer) : answer;
    },
  });
}

const done = (visit: Visit, action: string) => seeOther(visit, `/account/security?done=${action}`);

// Refusals that any of these forms can meet.
function refusedBy({ status, message }: AuthReply): RefusedSecurity {
  return { form: 'other', refusal: status === 429 ? refused(TOO_MANY, 429) : refused(sentence(message)) };
}

const isCommon = ({ status }: AuthReply) => status === 429 || status === 403 || status >= 500;

async function changePassword(visit: Visit, auth: AuthClient): Promise<Reply | RefusedSecurity> {
  const reply = await auth.post(visit, '/change-password', {
    currentPassword: visit.form.get('currentPassword') ?? '',
    newPassword: visit.form.get('newPassword') ?? '',
    revokeOtherSessions: isTicked(visit.form, 'revokeOtherSessions'),
  });
  if (reply.status < 400) return done(visit, 'password').withCookies(reply.cookies);
  if (isCommon(reply)) return refusedBy(reply);
  const field = reply.code === 'INVALID_PASSWORD' ? 'currentPassword' : 'newPassword';
  const words = field === 'currentPassword' ? 'The present password is wrong.' : reply.message;
  return { form: 'password', refusal: refusedField(field, words) };
}

async function changeEmail(visit: Visit, auth: AuthClient): Promise<Reply | RefusedSecurity> {
  const newEmail = visit.form.get('newEmail')?.trim() ?? '';
  const password = visit.form.get('password');
  const reply = await auth.post(visit, '/change-email', {
    newEmail,
    callbackURL: '/account/security',
    ...(password !== null && { password }),
  });
  if (reply.status < 400) return done(visit, 'email');
  if (isCommon(reply)) return refusedBy(reply);
  if (reply.field === 'password') return { form: 'email', refusal: refusedField('password', reply.message) };
  return { form: 'email', refusal: refusedField('newEmail', reply.message || 'This is no e-mail address.') };
}

async function endSessions(visit: Visit, auth: AuthClient): Promise<Reply | RefusedSecurity> {
  const id = visit.form.get('id');
  const reply =
    id === null
      ? await auth.post(visit, '/revoke-other-sessions', {})
      : await auth.post(visit, '/revoke-session', { id });
  return reply.status < 400 ? done(visit, id === null ? 'sessions' : 'session') : refusedBy(reply);
}

async function linkProvider(visit: Visit, auth: AuthClient): Promise<Reply | RefusedSecurity> {
  const provider = visit.form.get('provider') === 'google' ? 'google' : 'github';
  const reply = await auth.post(visit, '/link-social', {
    provider,
    callbackURL: '/account/security?done=link',
    errorCallbackURL: '/account/security?error=link',
  });
  const { url } = reply.fields;
  if (reply.status < 400 && typeof url === 'string') return showLink(visit, provider, url).withCookies(reply.cookies);
  return refusedBy({ ...reply, message: reply.message || `${PROVIDERS[provider]} cannot be linked now` });
}

async function deleteAccount(visit: Visit, auth: AuthClient): Promise<Reply | RefusedSecurity> {
  const { hasPassword } = await signInMethods(visit.ctx);
  const password = visit.form.get('password') ?? '';
  const refusal = (words: string): RefusedSecurity => ({ form: 'delete', refusal: refusedField('password', words) });
  if (hasPassword && password === '') return refusal('Your password is needed.');
  if (!hasPassword && !isTicked(visit.form, 'confirm')) {
    return { form: 'delete', refusal: refused('Tick the box to delete the account.') };
  }
  const reply = await auth.post(visit, '/delete-user', hasPassword ? { password } : {});
  if (reply.status < 400) return seeOther(visit, '/login?done=deleted').withCookies(reply.cookies);
  return isCommon(reply) ? refusedBy(reply) : refusal('The password is wrong.');
}
