// /device: the form for the code of a device, then the request and the decision. Opening the page with a code decides
// nothing.

import { findDeviceCode, shownUserCode } from '../../../accounts/auth/device-codes.ts';
import { lenientText } from '../../../contract/query.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../../http/kernel/route.ts';
import { errorSummary, postForm, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { facts } from '../../components/parts.ts';
import type { AuthClient } from '../../forms/auth-client.ts';
import { type Refusal, refused, refusedField, TOO_MANY } from '../../forms/refusal.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

const NAMED = { name: 'device', head: { title: 'Sign in on a device' } };

export const devicePage = (auth: AuthClient): RouteDeclaration =>
  accountPage({
    path: '/device',
    summary: 'Sign in on a device',
    query: { user_code: lenientText() },
    answer: async (visit) => {
      const typed = visit.sent.get('user_code') ?? '';
      return typed === '' ? showCodeField(visit) : showRequest(visit, auth, typed);
    },
  });

export function showCodeField(visit: Visit, refusal?: Refusal): Reply {
  const code = textField({
    name: 'user_code',
    label: 'Code',
    value: visit.sent.get('user_code') ?? visit.form.get('user_code'),
    help: 'The program that you want to sign in shows it: eight letters and digits.',
    error: refusal?.fields.user_code,
    mono: true,
    more: html`autocapitalize="characters" spellcheck="false"`,
  });
  const body = html`<div class="narrow stack"><h1>Sign in on a device</h1>${errorSummary(refusal)}<form method="get" action="/device" data-form="device">${code}<button class="btn primary wide" type="submit">Continue</button></form></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: refusal?.status });
}

// The lookup counts against a limit of the account, because codes are short enough to guess.
async function showRequest(visit: Visit, auth: AuthClient, typed: string): Promise<Reply> {
  const { ctx, shell } = visit;
  const reply = await auth.get(visit, '/device', { user_code: typed });
  if (reply.status === 429) return showCodeField(visit, refused(TOO_MANY, 429));
  const row = reply.status === 200 ? await findDeviceCode(ctx, typed) : null;
  if (!row || row.user_id !== ctx.caller.account?.userId || row.status !== 'pending') {
    return showCodeField(visit, UNKNOWN_CODE);
  }
  const values = { user_code: row.user_code };
  const body = html`<div class="narrow stack"><h1>Sign in on a device</h1>
<p>The program <strong>${row.client_id ?? ''}</strong> wants to sign in as you. Go on only if you started it yourself and it shows this very code.</p>
<p class="user-code"><code>${shownUserCode(row.user_code)}</code></p>
${facts([
  ['Asked from', row.ip_address ?? 'unknown'],
  ['Account', shell.account?.email ?? ''],
])}
<div class="pair">${postForm(shell, { name: 'device-approve', action: '/device/approve', values }, html`<button class="btn primary wide" type="submit">Approve</button>`)}
${postForm(shell, { name: 'device-deny', action: '/device/deny', values }, html`<button class="btn wide" type="submit">Deny</button>`)}</div></div>`;
  return answerPage(visit, { ...NAMED, body });
}

export const UNKNOWN_CODE = refusedField('user_code', 'This code is unknown or has expired.');

export function showDecision(visit: Visit, decision: 'approve' | 'deny'): Reply {
  const words =
    decision === 'approve'
      ? 'Done. You can close this page and go on where you started.'
      : 'Access was denied. You can close this page.';
  const body = html`<div class="narrow stack"><h1>Sign in on a device</h1><p role="status">${words}</p></div>`;
  return answerPage(visit, { ...NAMED, body });
}
