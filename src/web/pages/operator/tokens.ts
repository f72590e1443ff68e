// /admin/tokens: API tokens. The value of a new one is shown once.
import type { TokenList, TokenRow } from '../../../contract/token.ts';
import { postForm, selectField, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { command, empty, noticeBox } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { operatorPage } from '../../operator/visit.ts';

const SCOPES = { read: 'read', publish: 'publish (bound)', write: 'write', admin: 'admin' };
const BOUND = {
  '': 'Nothing: the whole registry',
  source: 'A source',
  product: 'A product',
  org: 'An organization',
};

export const tokensPage = operatorPage({
  path: '/admin/tokens',
  title: 'Tokens',
  access: 'admin',
  load: async ({ api }) => (await api.get<TokenList>('/tokens')).tokens,
  show: (tokens, { shell, form, refusal }) => html`<h1>Tokens</h1>
${
  tokens.length === 0
    ? empty({
        title: 'No token yet',
        text: 'A token lets a program write or administer. The root key can do everything, so give programs a token instead.',
      })
    : operatorTable(
        'Tokens',
        [
          { name: 'Name' },
          { name: 'Scopes' },
          { name: 'Bound to' },
          { name: 'State' },
          { name: 'Last used' },
          { name: 'Created' },
          { name: 'Actions' },
        ],
        tokens.map((token) => row(token, shell)),
      )
}
<section><h2>New token</h2>${postForm(
    shell,
    { name: 'token-create', action: '/admin/tokens/create' },
    html`<div class="form-grid">${textField({ name: 'name', label: 'Name', value: form.get('name'), error: refusal?.fields.name })}${textField({ name: 'expiresAt', label: 'Expires on', type: 'date', value: form.get('expiresAt'), required: false, error: refusal?.fields.expiresAt, help: 'Leave it empty for a token that does not expire.' })}${selectField({ name: 'scope', label: 'Scope', value: form.get('scope'), options: SCOPES, error: refusal?.fields.scopes })}${selectField({ name: 'boundType', label: 'Bound to', value: form.get('boundType'), options: BOUND, help: 'A bound token changes nothing elsewhere.' })}${textField({ name: 'boundName', label: 'Which one', value: form.get('boundName'), required: false, error: refusal?.fields.source ?? refusal?.fields.product ?? refusal?.fields.org, help: 'An id, or an address such as acme/cli.' })}</div><button class="btn primary" type="submit">Create</button>`,
  )}</section>`,
});

const BOUND_NAMES = { source: 'source', product: 'product', org: 'organization' };

export function createdToken({ name, token }: { name: string; token: string }): Html {
  return html`<h1>Token ${name}</h1>${noticeBox('warning', 'Copy it now. It is not shown again.')}${command(token, 'The new token')}<p><a class="btn" href="/admin/tokens">Done</a></p>`;
}

function row(token: TokenRow, shell: Shell): Html[] {
  const { id, lookupId, name, scopes, bound, active, expiresAt, lastUsedAt, createdAt } = token;
  const state = active ? (expiresAt ? html`until ${expiresAt.slice(0, 10)}` : html`active`) : html`ended`;
  return [
    html`${name}<span class="muted small under mono">${lookupId}</span>`,
    html`${scopes.join(', ')}`,
    bound ? html`${BOUND_NAMES[bound.type]}<span class="muted small under mono">${bound.id}</span>` : html`–`,
    state,
    lastUsedAt ? ago(lastUsedAt, shell.now) : html`never`,
    ago(createdAt, shell.now),
    active ? rowAction(shell, { action: `/admin/tokens/${id}/revoke`, label: 'Revoke', target: name }) : html`–`,
  ];
}
