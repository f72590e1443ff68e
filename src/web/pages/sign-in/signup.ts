// /signup: creates an account.
import { returnTargets } from '../../../accounts/auth/pending-request.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { errorSummary, postForm, textField } from '../../components/form.ts';
import { html } from '../../components/html.ts';
import type { Refusal } from '../../forms/refusal.ts';
import { answerPage, onward, type Visit, visitorPage } from '../../visit.ts';
import { carried, carriedQuery, configuredProviders, PROVIDERS, pendingRequest } from './pending-app.ts';

const NAMED = { name: 'signup', head: { title: 'Create an account' } };

export const signupPage = visitorPage({
  path: '/signup',
  summary: 'Create an account',
  answer: async (visit) => (visit.shell.account && !pendingRequest(visit) ? onward(visit) : showSignup(visit)),
});

export async function showSignup(visit: Visit, refusal?: Refusal): Promise<Reply> {
  const { ctx, shell, form } = visit;
  if (ctx.config.signup === 'closed') return closed(visit);
  const errors = refusal?.fields ?? {};
  const others = configuredProviders(ctx.config).map((provider) => PROVIDERS[provider]);
  const also = others.length > 0 ? ` It also works with ${others.join(' or ')}.` : '';
  const body = html`<div class="narrow stack"><div><h1>Create an account</h1><p class="muted">Follow products, get a private feed and add webhooks. You can read everything without one.</p></div>
${errorSummary(refusal)}${postForm(
  shell,
  { name: 'signup', action: '/signup', values: carried(visit) },
  html`${textField({ name: 'name', label: 'Name', value: form.get('name'), autocomplete: 'name', error: errors.name })}${textField({ name: 'email', label: 'E-mail', type: 'email', value: form.get('email'), autocomplete: 'username', error: errors.email })}${textField({ ...NEW_PASSWORD, name: 'password', label: 'Password', error: errors.password })}<button class="btn primary wide" type="submit">Create account</button>`,
)}
<p class="small muted">Already have an account? <a href="/login${carriedQuery(visit)}">Sign in</a>.${also}</p></div>`;
  const formTargets = await returnTargets(ctx, pendingRequest(visit));
  return answerPage(visit, { ...NAMED, body }, { status: refusal?.status, formTargets });
}

export const NEW_PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  help: 'At least 10 characters. A few words that only you would put together are fine.',
} as const;

function closed(visit: Visit): Reply {
  const body = html`<div class="narrow stack"><h1>No new accounts</h1><p>This registry takes no new accounts. Everything in it can be read without one.</p><p><a href="/login${carriedQuery(visit)}">Sign in</a></p></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: 403 });
}

export function showMailSent(visit: Visit, then?: 'again' | Refusal): Reply {
  const email = visit.form.get('email')?.trim() ?? '';
  const refusal = typeof then === 'object' ? then : undefined;
  const sent = then === 'again' ? 'The link is on its way again, to' : 'A link is on its way to';
  const body = html`<div class="narrow stack"><h1>Nearly there</h1>${errorSummary(refusal)}<p role="status">${sent} <b>${email}</b>. Open it in this browser within an hour: it confirms the address and signs you in.</p>
${postForm(visit.shell, { name: 'signup-again', action: '/signup/again', values: { ...carried(visit), email } }, html`<p class="small muted">Nothing came? Look in the spam folder, or have it sent again.</p><button class="btn" type="submit">Send it again</button>`)}
<p class="small"><a href="/signup${carriedQuery(visit)}">Use another address</a></p></div>`;
  return answerPage(visit, { ...NAMED, body }, { status: refusal?.status });
}
