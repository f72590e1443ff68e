// Approves or denies the sign-in of a device or program without a browser.
import { normalUserCode } from '../../accounts/auth/device-codes.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { showCodeField, showDecision, UNKNOWN_CODE } from '../pages/sign-in/device.ts';
import { accountForm } from '../visit.ts';
import type { AuthClient } from './auth-client.ts';
import { refused, TOO_MANY } from './refusal.ts';

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
