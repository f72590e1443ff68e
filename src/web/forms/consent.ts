// Stores the reader's decision about an app and redirects to the app with it.
import { redirect } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showSpoiled } from '../pages/sign-in/consent.ts';
import { accountForm } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';

export const consentForm = (auth: AuthClient): RouteDeclaration =>
  accountForm({
    path: '/oauth/consent',
    summary: 'Access for an app',
    answer: async (visit) => {
      const { form } = visit;
      const accept = form.get('decision') === 'allow';
      const oauth_query = form.get('oauth_query') ?? '';
      const { status, fields } = await auth.post(visit, '/oauth2/consent', { accept, oauth_query });
      if (status < 400 && typeof fields.url === 'string') return redirect(fields.url);
      return showSpoiled(visit, 'This request is too old or was changed. Start again from the app.');
    },
  });
