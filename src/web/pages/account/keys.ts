// /account/keys: the API keys of an account, and a form for a new one, whose value is shown once.
import { keyUsage, listApiKeys } from '../../../accounts/api-keys/manage.ts';
import type { ApiKeyList } from '../../../contract/account.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { accountFrame, doneNotice, secretBox, statusBox } from '../../components/account-frame.ts';
import { errorSummary, postForm, selectField, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { empty } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import { onceToken } from '../../forms/once.ts';
import type { Refusal } from '../../forms/refusal.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

const LIFETIMES = { '': 'Never', '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' };

export const keysPage = accountPage({
  path: '/account/keys',
  summary: 'API keys',
  answer: (visit) => showKeys(visit),
});

const SCOPES = { read: 'Read as you', stacks: 'Only read and push stacks' };

interface KeysView {
  refusal?: Refusal;
  // The value of a new key, shown once.
  minted?: { name: string; key: string };
  // The form was sent before, so no key was created.
  repeated?: boolean;
}

export async function showKeys(visit: Visit, { refusal, minted, repeated }: KeysView = {}): Promise<Reply> {
  const { ctx, shell, form } = visit;
  const [{ apiKeys }, usage] = await Promise.all([listApiKeys(ctx), keyUsage(ctx)]);
  const errors = refusal?.fields ?? {};
  const typed = refusal ? form : new URLSearchParams();
  const body = html`<div class="spread"><h1>API keys</h1><span class="muted small">${usage.active} of ${usage.most} in use</span></div>
${errorSummary(refusal)}${doneNotice(shell, { revoked: 'The key was revoked. It no longer works.' })}${repeated ? statusBox('This key was already created. Its value is not shown again: make another one if you have lost it.') : ''}${
  minted
    ? secretBox({
        title: `Your new key: ${minted.name}`,
        text: 'Copy it now: it is not shown again.',
        values: [{ label: 'Key', value: minted.key }],
      })
    : ''
}
${apiKeys.length > 0 ? table(apiKeys, shell) : empty({ title: 'No keys yet', text: 'A key lets a program read the registry as you, with a higher limit.' })}
<section class="block"><h2>Create a key</h2>${postForm(
    shell,
    { name: 'key', action: '/account/keys', values: { once: onceToken(ctx) }, className: 'formgrid' },
    html`${textField({ name: 'name', label: 'Name', value: typed.get('name'), help: 'Where you use it, such as “build server”.', error: errors.name, more: html`maxlength="32"` })}${selectField({ name: 'scope', label: 'May', value: typed.get('scope') ?? visit.sent.get('scope'), options: SCOPES, error: errors.scope })}${selectField({ name: 'expiresInDays', label: 'Expires', value: typed.get('expiresInDays'), options: LIFETIMES, error: errors.expiresInDays })}<div class="full actions"><button class="btn primary" type="submit">Create</button><span class="small muted">The value is shown on the next page, once.</span></div>`,
  )}</section>`;
  return answerPage(
    visit,
    { name: 'keys', head: { title: 'API keys' }, body: accountFrame(shell, body) },
    { status: refusal?.status },
  );
}

function table(keys: ApiKeyList['apiKeys'], shell: Shell): Html {
  const expiry = ({ expiresAt }: ApiKeyList['apiKeys'][number]) => {
    if (expiresAt === null) return 'never';
    return Date.parse(expiresAt) <= shell.now
      ? html`<span class="health paused">expired ${ago(expiresAt, shell.now)}</span>`
      : ago(expiresAt, shell.now);
  };
  return html`<div class="table-wrap"><table class="table mid stacked"><caption class="sr">Your keys</caption><thead><tr><th scope="col">Name</th><th scope="col">Starts with</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col">Created</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>${keys.map(
    (key) =>
      html`<tr><th scope="row">${key.name}${key.scope === 'stacks' ? html`<span class="muted small under">stacks only</span>` : ''}</th><td data-th="Starts with"><span class="mono">${key.start}…</span></td><td data-th="Last used" class="when">${ago(key.lastRequest, shell.now) || 'never'}</td><td data-th="Expires" class="when">${expiry(key)}</td><td data-th="Created" class="when">${ago(key.createdAt, shell.now)}</td><td class="num">${postForm(shell, { name: 'revoke', action: `/account/keys/${key.id}/revoke` }, html`<button class="btn small" type="submit">Revoke<span class="sr"> ${key.name}</span></button>`)}</td></tr>`,
  )}</tbody></table></div>`;
}
