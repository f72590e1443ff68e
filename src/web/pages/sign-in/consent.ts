// /oauth/consent: which app asks for which access, where it redirects to, and the decision.
import { findClient } from '../../../accounts/auth/clients.ts';
import { isPendingRequest, returnTargets } from '../../../accounts/auth/pending-request.ts';
import { meaningsOf } from '../../../accounts/auth/scopes.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { postForm } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import { noticeBox } from '../../components/parts.ts';
import { answerPage, seeOther, type Visit, visitorPage } from '../../visit.ts';

const NAMED = { name: 'consent', head: { title: 'Access for an app' } };

export const consentPage = visitorPage({
  path: '/oauth/consent',
  summary: 'Access for an app',
  // The signed request stays in the query during sign-in and leads the reader back here.
  answer: async (visit) =>
    visit.shell.account ? showConsent(visit) : seeOther(visit, `/login?${visit.request.target.query}`),
});

async function showConsent(visit: Visit): Promise<Reply> {
  const { ctx, shell, sent } = visit;
  const pending = visit.request.target.query;
  const client = await findClient(ctx, sent.get('client_id') ?? '');
  if (!client || !isPendingRequest(ctx, pending)) {
    return showSpoiled(visit, 'This request is incomplete or too old. Start again from the app.');
  }
  const meanings = meaningsOf((sent.get('scope') ?? '').split(' '));
  const isUnverified = client.by_operator !== 1;
  const body = html`<div class="narrow stack"><h1>Access for an app</h1>
<p><strong>${client.name ?? client.client_id}</strong>${isUnverified ? ' (unverified)' : ''} wants access to your account ${shell.account?.email ?? ''}. It will be able to:</p>
<ul class="bullets">${meanings.map((meaning) => html`<li>${meaning}</li>`)}</ul>
<p>Afterwards you are sent to <strong>${hostOf(sent.get('redirect_uri') ?? '')}</strong>.</p>
${isUnverified ? noticeBox('warning', 'Anybody can register an app under any name. Allow it only if you came from there.') : ''}
${postForm(shell, { name: 'oauth-consent', action: '/oauth/consent', values: { oauth_query: pending } }, html`<div class="pair"><button class="btn primary wide" type="submit" name="decision" value="allow">Allow</button><button class="btn wide" type="submit" name="decision" value="deny">Deny</button></div>`)}</div>`;
  return answerPage(visit, { ...NAMED, body }, { formTargets: await returnTargets(ctx, pending) });
}

function hostOf(uri: string): string {
  if (!URL.canParse(uri)) return '';
  const { host, protocol } = new URL(uri);
  return host || `an app on this device (${protocol.slice(0, -1)})`;
}

export function showSpoiled(visit: Visit, why: string): Reply {
  const body = html`<div class="narrow stack"><h1>Access for an app</h1><p>${why}</p></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: 400 });
}
