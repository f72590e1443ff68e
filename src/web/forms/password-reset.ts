// Requests a reset link, and sets a new password with one.
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showForgotPassword, showLinkSent } from '../pages/sign-in/forgot-password.ts';
import { showDeadLink, showResetPassword } from '../pages/sign-in/reset-password.ts';
import { showUndoEmail, showUndone } from '../pages/sign-in/undo-email.ts';
import { seeOther, visitorForm } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';
import { refused, refusedField, sentence, TOO_MANY } from './refusal.ts';

export const passwordForms = (auth: AuthClient): RouteDeclaration[] => [
  visitorForm({
    path: '/forgot-password',
    summary: 'Ask for a link to a new password',
    answer: async (visit) => {
      const reply = await auth.post(visit, '/request-password-reset', { email: visit.form.get('email') ?? '' });
      if (reply.status === 429) return showForgotPassword(visit, refused(TOO_MANY, 429));
      return reply.status === 200
        ? showLinkSent(visit)
        : showForgotPassword(visit, refusedField('email', reply.message));
    },
  }),
  visitorForm({
    path: '/reset-password',
    summary: 'Choose a new password',
    answer: async (visit) => {
      const { form } = visit;
      const json = { token: form.get('token') ?? '', newPassword: form.get('password') ?? '' };
      const reply = await auth.post(visit, '/reset-password', json);
      if (reply.status === 200) return seeOther(visit, '/login?done=password').withCookies(reply.cookies);
      if (reply.status === 429) return showResetPassword(visit, refused(TOO_MANY, 429));
      if (reply.code === 'INVALID_TOKEN') return showDeadLink(visit);
      return showResetPassword(visit, refusedField('password', reply.message));
    },
  }),
];

// Takes the change of an address back.

export const undoEmailForm = (auth: AuthClient): RouteDeclaration =>
  visitorForm({
    path: '/account/undo-email',
    summary: 'Bring a former address back',
    answer: async (visit) => {
      const reply = await auth.post(visit, '/undo-change-email', { token: visit.form.get('token') ?? '' });
      if (reply.status >= 400) {
        return showUndoEmail(visit, reply.status === 429 ? refused(TOO_MANY, 429) : refused(sentence(reply.message)));
      }
      const { email, resetUrl } = reply.fields;
      const { pathname, search } = new URL(String(resetUrl));
      const page = showUndone(visit, { email: String(email), resetPath: `${pathname}${search}` });
      return page.withCookies(reply.cookies);
    },
  });
