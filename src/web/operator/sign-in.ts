// The page for a visitor who may not use the operator area: a form for a token, or the missing scope.
import type { Context } from '../../context.ts';
import type { ApiError } from '../../contract/errors.ts';
import type { Reply } from '../../http/kernel/reply.ts';
import type { FailureFormat } from '../../http/kernel/route.ts';
import { errorSummary } from '../components/form.ts';
import { html } from '../components/html.ts';
import { sentence } from '../forms/refusal.ts';
import { documentHtml } from '../frame/document.ts';
import { bareShell } from '../frame/read-shell.ts';
import { unlistedReply } from './frame.ts';

// The message of the route that opens a session.
const WRONG_TOKEN = 'this token does not open the operator area';

// A visitor without a session is asked for a token; a session without the required scope is shown which one is missing.
export const operatorFailure: FailureFormat = (error, ctx) => operatorSignIn(ctx, error);

const isWrongToken = ({ message }: ApiError) => message === WRONG_TOKEN;

export function operatorSignIn(ctx: Context, error: ApiError): Reply {
  const shell = bareShell(ctx);
  const refused =
    error.status === 401
      ? isWrongToken(error)
        ? { status: 401, message: 'This token does not open the operator area.', fields: {} }
        : undefined
      : { status: error.status, message: sentence(error.message), fields: {} };
  const body =
    error.status === 403 || error.status >= 500 || error.status === 404
      ? html`<div class="narrow stack"><h1>${error.status === 403 ? 'This needs more rights' : 'That did not work'}</h1><p>${error.status === 403 && error.code === 'insufficient_scope' ? 'The token that opened this session may not do this: it needs the scope admin.' : sentence(error.message)}</p><p><a class="btn" href="/admin">Back to the overview</a></p></div>`
      : html`<div class="narrow stack"><h1>Operator area</h1><p class="muted">Opens with a machine token that may write, or with the root key of this registry.</p>
${errorSummary(refused)}<form class="stack" data-form="operator-session" method="post" action="/admin/session"><div class="field"><label for="token">Token</label><input class="input mono" id="token" name="token" type="password" autocomplete="off" required></div><button class="btn primary wide" type="submit">Open</button></form></div>`;
  const text = documentHtml(shell, {
    name: error.status === 401 ? 'admin-session' : 'admin-error',
    head: { title: 'Operator area', description: 'Operator area.', robots: 'noindex, nofollow' },
    body,
  });
  return unlistedReply(String(text), error.status);
}
