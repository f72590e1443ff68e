// Takes the change of an address back.
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showUndoEmail, showUndone } from '../pages/sign-in/undo-email.ts';
import { visitorForm } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';
import { refused, sentence, TOO_MANY } from './refusal.ts';

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
