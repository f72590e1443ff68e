// Where people decide: about a device that wants to sign in, and about an app that wants access.
import { findClient } from '../accounts/auth/clients.ts';
import { findDeviceCode, normalUserCode, shownUserCode } from '../accounts/auth/device-codes.ts';
import { SCOPE_MEANINGS } from '../accounts/auth/scopes.ts';
import { findUser } from '../accounts/auth/users.ts';
import {
  type AuthPage,
  ask,
  askFor,
  buttonHtml,
  faultHtml,
  fieldHtml,
  formHtml,
  type PageCall,
  page,
  requireOwnForm,
  seeOther,
} from './auth-page.ts';
import { returnTargets } from './auth-page-sign-in.ts';
import { escapeHtml } from './html.ts';

export const consentPages: readonly AuthPage[] = [
  { method: 'GET', path: '/device', show: showDevice },
  { method: 'POST', path: '/device/approve', show: (call) => decideDevice(call, 'approve') },
  { method: 'POST', path: '/device/deny', show: (call) => decideDevice(call, 'deny') },
  { method: 'GET', path: '/oauth/consent', show: showConsent },
  { method: 'POST', path: '/oauth/consent', show: decideConsent },
];

function toSignIn({ ctx, exchange }: PageCall): Response {
  const { path, query } = exchange.target;
  const next = new URLSearchParams({ next: `${path}${query ? `?${query}` : ''}` });
  return seeOther(`${ctx.config.webUrl}/login?${next}`);
}

// Looking at a code decides nothing.
async function showDevice(call: PageCall): Promise<Response> {
  if (call.session === null) return toSignIn(call);
  const typed = call.query.get('user_code') ?? '';
  if (typed === '') return codePage(call);
  const said = await askFor(call, '/device', { user_code: typed });
  const row = said.status === 200 ? await findDeviceCode(call.ctx, typed) : null;
  if (!row || row.user_id !== call.session.userId || row.status !== 'pending') {
    const fault =
      said.status === 429
        ? 'Too many attempts. Please wait a minute.'
        : 'This code is not known or not valid any more.';
    return codePage(call, { status: said.status === 429 ? 429 : 422, fault });
  }
  const facts = [
    ['Program', row.client_id ?? ''],
    ['Code', shownUserCode(row.user_code)],
    ['Asked from', row.ip_address ?? 'unknown'],
  ].map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`);
  const values = { user_code: row.user_code };
  const body = `<p>A program wants to sign in as you. Go on only if you started it yourself and it shows this very code.</p>
<dl>${facts.join('')}</dl>
${formHtml(call, { action: '/device/approve', values, fields: buttonHtml('Approve') })}
${formHtml(call, { action: '/device/deny', values, fields: buttonHtml('Deny') })}`;
  return page(call, { title: 'Sign in on a device', body });
}

function codePage(call: PageCall, said?: { status: number; fault: string }): Response {
  const value = call.query.get('user_code') ?? '';
  const body = `${faultHtml(said?.fault)}
<form method="get" action="/device">
${fieldHtml({ name: 'user_code', label: 'Code that the program shows', value })}
${buttonHtml('Continue')}
</form>`;
  return page(call, { title: 'Sign in on a device', body, status: said?.status });
}

async function decideDevice(call: PageCall, decision: 'approve' | 'deny'): Promise<Response> {
  requireOwnForm(call, `/device/${decision}`);
  const said = await ask(call, `/device/${decision}`, { userCode: normalUserCode(call.form.get('user_code') ?? '') });
  if (said.status !== 200) {
    const fault = 'This code is not known or not valid any more.';
    return codePage(call, { status: said.status === 429 ? 429 : 422, fault });
  }
  const body =
    decision === 'approve'
      ? '<p>Done. You can close this page and go on where you started.</p>'
      : '<p>The program was refused.</p>';
  return page(call, { title: 'Sign in on a device', body });
}

async function showConsent(call: PageCall): Promise<Response> {
  const { ctx, query, exchange, session } = call;
  const request = exchange.target.query;
  if (session === null) return seeOther(`${ctx.config.webUrl}/login?${request}`);
  const client = await findClient(ctx, query.get('client_id') ?? '');
  const user = await findUser(ctx, session.userId);
  if (!client || !query.has('sig')) {
    return page(call, { title: 'Access for an app', body: '<p>This request is not complete.</p>', status: 400 });
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope in SCOPE_MEANINGS);
  const meanings = scopes.map((scope) => `<li>${escapeHtml(SCOPE_MEANINGS[scope as 'read'])}</li>`);
  const buttons = `${buttonHtml('Allow', 'decision', 'allow')}\n${buttonHtml('Deny', 'decision', 'deny')}`;
  const body = `<p><strong>${escapeHtml(client.name ?? '')}</strong> (unverified) wants access to your account
${escapeHtml(user?.email ?? '')}. It will be able to:</p>
<ul>${meanings.join('')}</ul>
<p>Afterwards you are sent to <strong>${escapeHtml(hostOf(query.get('redirect_uri') ?? ''))}</strong>.</p>
${formHtml(call, { action: '/oauth/consent', values: { oauth_query: request }, fields: buttons })}`;
  return page(call, { title: 'Access for an app', body, formTargets: returnTargets(request) });
}

function hostOf(uri: string): string {
  if (!URL.canParse(uri)) return '';
  const { host, protocol } = new URL(uri);
  return host || `an app on this device (${protocol.slice(0, -1)})`;
}

async function decideConsent(call: PageCall): Promise<Response> {
  requireOwnForm(call, '/oauth/consent');
  const accept = call.form.get('decision') === 'allow';
  const said = await ask(call, '/oauth2/consent', { accept, oauth_query: call.form.get('oauth_query') ?? '' });
  if (said.status < 400 && typeof said.fields.url === 'string') return seeOther(said.fields.url);
  const body = '<p>This request is too old or was changed. Please start again from the app.</p>';
  return page(call, { title: 'Access for an app', body, status: 400 });
}
