// Stores the reader's decision about an app and redirects to the app with it.

import { normalUserCode } from '../../accounts/auth/device-codes.ts';
import { redirect } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showSpoiled } from '../pages/sign-in/consent.ts';
import { showCodeField, showDecision, UNKNOWN_CODE } from '../pages/sign-in/device.ts';
import { accountForm } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';
import { refused, TOO_MANY } from './refusal.ts';

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

// Approves or denies the sign-in of a device or program without a browser.

export const deviceForms = (auth: AuthClient): RouteDeclaration[] => [decide(auth, 'approve'), decide(auth, 'deny')];

function decide(auth: AuthClient, decision: 'approve' | 'deny'): RouteDeclaration {
  return accountForm({
    path: `/device/${decision}`,
    summary: decision === 'approve' ? 'Approve a device' : 'Refuse a device',
    answer: async (visit) => {
      const userCode = normalUserCode(visit.form.get('user_code') ?? '');
      const { status } = await auth.post(visit, `/device/${decision}`, { userCode });
      if (status === 200) return showDecision(visit, decision);
      return showCodeField(visit, status === 429 ? refused(TOO_MANY, 429) : UNKNOWN_CODE);
    },
  });
}
