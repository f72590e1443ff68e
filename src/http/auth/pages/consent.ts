// Where people decide: about a device that wants to sign in, and about an app that wants access.
import { findClient } from '../../../accounts/auth/clients.ts';
import { findDeviceCode, normalUserCode, shownUserCode } from '../../../accounts/auth/device-codes.ts';
import { isPendingRequest, returnTargets } from '../../../accounts/auth/pending-request.ts';
import { SCOPE_MEANINGS } from '../../../accounts/auth/scopes.ts';
import { findUser } from '../../../accounts/auth/users.ts';
import { escapeHtml } from '../../kernel/page.ts';
import type { Reply } from '../../kernel/reply.ts';
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
  seeOther,
  TOO_MANY,
} from './page.ts';

export const consentPages: readonly AuthPage[] = [
  { method: 'GET', path: '/device', title: 'Sign in on a device', show: showDevice },
  { method: 'POST', path: '/device/approve', title: 'Approve a device', show: (call) => decideDevice(call, 'approve') },
  { method: 'POST', path: '/device/deny', title: 'Refuse a device', show: (call) => decideDevice(call, 'deny') },
  { method: 'GET', path: '/oauth/consent', title: 'Access for an app', show: showConsent },
  { method: 'POST', path: '/oauth/consent', title: 'Access for an app', show: decideConsent },
];

function toSignIn({ ctx, request }: PageCall): Reply {
  const { path, query } = request.target;
  const next = new URLSearchParams({ next: `${path}${query ? `?${query}` : ''}` });
  return seeOther(`${ctx.config.webUrl}/login?${next}`);
}

const DEVICE = { name: 'device', title: 'Sign in on a device' };
const CONSENT = { name: 'consent', title: 'Access for an app' };
const UNKNOWN_CODE = 'This code is not known or not valid any more.';

// Looking at a code decides nothing.
async function showDevice(call: PageCall): Promise<Reply> {
  if (call.session === null) return toSignIn(call);
  const typed = call.query.get('user_code') ?? '';
  if (typed === '') return codePage(call);
  const reply = await askFor(call, '/device', { user_code: typed });
  const row = reply.status === 200 ? await findDeviceCode(call.ctx, typed) : null;
  if (reply.status === 429) return codePage(call, { status: 429, fault: TOO_MANY });
  if (!row || row.user_id !== call.session.userId || row.status !== 'pending') {
    return codePage(call, { status: 422, fault: UNKNOWN_CODE });
  }
  const user = await findUser(call.ctx, call.session.userId);
  const facts = [
    ['Program', escapeHtml(row.client_id ?? '')],
    ['Code', `<code class="large">${escapeHtml(shownUserCode(row.user_code))}</code>`],
    ['Asked from', escapeHtml(row.ip_address ?? 'unknown')],
    ['Account', escapeHtml(user?.email ?? '')],
  ].map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  const values = { user_code: row.user_code };
  const body = `<p>A program wants to sign in as you. Go on only if you started it yourself and it shows this very code.</p>
<dl class="facts">${facts.join('')}</dl>
<div class="choice">
${formHtml(call, { action: '/device/approve', values, fields: buttonHtml({ label: 'Approve', main: true }) })}
${formHtml(call, { action: '/device/deny', values, fields: buttonHtml({ label: 'Deny' }) })}
</div>`;
  return page(call, { ...DEVICE, body });
}

function codePage(call: PageCall, refusal?: { status: number; fault: string }): Reply {
  const value = call.query.get('user_code') ?? call.form.get('user_code') ?? '';
  const field = fieldHtml({
    name: 'user_code',
    label: 'Code',
    value,
    hint: 'The program that you want to sign in shows it: eight letters and digits.',
    faulty: refusal !== undefined,
    more: 'autocapitalize="characters" spellcheck="false"',
  });
  const body = `${faultHtml(refusal?.fault)}
<form method="get" action="/device" data-form="device">
${field}
${buttonHtml({ label: 'Continue', main: true })}
</form>`;
  return page(call, { ...DEVICE, body, status: refusal?.status });
}

async function decideDevice(call: PageCall, decision: 'approve' | 'deny'): Promise<Reply> {
  const reply = await ask(call, `/device/${decision}`, { userCode: normalUserCode(call.form.get('user_code') ?? '') });
  if (reply.status === 429) return codePage(call, { status: 429, fault: TOO_MANY });
  if (reply.status !== 200) return codePage(call, { status: 422, fault: UNKNOWN_CODE });
  const body =
    decision === 'approve'
      ? '<p role="status">Done. You can close this page and go on where you started.</p>'
      : '<p role="status">The program was refused. You can close this page.</p>';
  return page(call, { ...DEVICE, body });
}

async function showConsent(call: PageCall): Promise<Reply> {
  const { ctx, query, session } = call;
  const pending = call.request.target.query;
  if (session === null) return seeOther(`${ctx.config.webUrl}/login?${pending}`);
  const client = await findClient(ctx, query.get('client_id') ?? '');
  const user = await findUser(ctx, session.userId);
  if (!client || !isPendingRequest(ctx, pending)) {
    const body = '<p>This request is not complete or too old. Please start again from the app.</p>';
    return page(call, { ...CONSENT, body, status: 400 });
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope in SCOPE_MEANINGS);
  const meanings = scopes.map((scope) => `<li>${escapeHtml(SCOPE_MEANINGS[scope as 'read'])}</li>`);
  const unverified = client.by_operator === 1 ? '' : ' (unverified)';
  const buttons = [
    buttonHtml({ label: 'Allow', name: 'decision', value: 'allow', main: true }),
    buttonHtml({ label: 'Deny', name: 'decision', value: 'deny' }),
  ];
  const fields = `<div class="choice">\n${buttons.join('\n')}\n</div>`;
  const body = `<p><strong>${escapeHtml(client.name ?? client.client_id)}</strong>${unverified} wants access to your account
${escapeHtml(user?.email ?? '')}. It will be able to:</p>
<ul>${meanings.join('')}</ul>
<p>Afterwards you are sent to <strong>${escapeHtml(hostOf(query.get('redirect_uri') ?? ''))}</strong>.</p>
${unverified ? '<p class="soft">Anybody can register an app under any name. Allow it only if you came from there.</p>' : ''}
${formHtml(call, { action: '/oauth/consent', values: { oauth_query: pending }, fields })}`;
  return page(call, { ...CONSENT, body, formTargets: await returnTargets(ctx, pending) });
}

function hostOf(uri: string): string {
  if (!URL.canParse(uri)) return '';
  const { host, protocol } = new URL(uri);
  return host || `an app on this device (${protocol.slice(0, -1)})`;
}

async function decideConsent(call: PageCall): Promise<Reply> {
  const accept = call.form.get('decision') === 'allow';
  const reply = await ask(call, '/oauth2/consent', { accept, oauth_query: call.form.get('oauth_query') ?? '' });
  if (reply.status < 400 && typeof reply.fields.url === 'string') return seeOther(reply.fields.url);
  const body = '<p>This request is too old or was changed. Please start again from the app.</p>';
  return page(call, { ...CONSENT, body, status: 400 });
}
