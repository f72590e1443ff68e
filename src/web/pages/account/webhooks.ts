// /account/webhooks: the webhooks of the account, and a form for a new one.

import { listFollows } from '../../../accounts/following/list-follows.ts';
import { stackNames } from '../../../accounts/stacks/manage.ts';
import { lenientText } from '../../../contract/query.ts';
import type { WebhookSubscription } from '../../../contract/webhooks.ts';
import { shownHost } from '../../../domain/webhooks/target.ts';
import { listOrgs } from '../../../entities/orgs/list.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { MAX_WEBHOOKS } from '../../../webhooks/subscriptions/create.ts';
import { listOwn } from '../../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../../webhooks/subscriptions/owner.ts';
import { accountFrame, doneNotice, statusBox } from '../../components/account-frame.ts';
import { checkField, errorSummary, postForm } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { meaningIn } from '../../components/meaning-fields.ts';
import { empty } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import { aboutWords, FORMATS, webhookFields } from '../../components/webhook-fields.ts';
import { webhookHealth } from '../../components/webhook-health.ts';
import { onceToken } from '../../forms/once.ts';
import type { Refusal } from '../../forms/refusal.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

// As many as one page of the list of organizations holds.
const OFFERED_ORGS = 500;

export const webhooksPage = accountPage({
  path: '/account/webhooks',
  summary: 'Webhooks',
  query: { org: lenientText() },
  answer: (visit) => showWebhooks(visit),
});

export async function showWebhooks(
  visit: Visit,
  view: { refusal?: Refusal; repeated?: boolean; preview?: Html } = {},
): Promise<Reply> {
  const { ctx, shell, form, sent } = visit;
  const { refusal, repeated, preview } = view;
  const isSent = refusal !== undefined || preview !== undefined;
  const [{ subscriptions }, { follows }, orgs, stacks] = await Promise.all([
    listOwn(ctx, { owner: accountOwner(ctx) }),
    listFollows(ctx, { targetType: 'org' }),
    listOrgs(ctx, { page: 1, limit: OFFERED_ORGS }),
    stackNames(ctx),
  ]);
  const org = sent.get('org');
  const stackName = sent.get('stack');
  const values = isSent
    ? Object.fromEntries(form)
    : { scope: stackName ? 'stack' : org || follows.length === 0 ? 'org' : 'follows', orgSlug: org, stackName };
  const body = html`<div class="spread"><h1>Webhooks</h1><span class="muted small">At most ${MAX_WEBHOOKS.org} for single organizations and ${MAX_WEBHOOKS.follows} for all that you follow, ${MAX_WEBHOOKS.stack} for stacks</span></div>
${errorSummary(refusal)}${doneNotice(shell, { deleted: 'The webhook was deleted, with its log.' })}${repeated ? statusBox('This webhook was already created. Its key is not shown again; a new key can be made on its page.') : ''}
${subscriptions.length > 0 ? table(subscriptions, shell) : empty({ title: 'No webhooks yet', text: 'A webhook tells your own service or a chat about each new release.' })}
<section class="block"><h2>Add a webhook</h2>${postForm(
    shell,
    { name: 'webhook', action: '/account/webhooks', values: { once: onceToken(ctx) }, className: 'formgrid' },
    html`${webhookFields({ values, excludePrereleases: isSent ? form.has('excludePrereleases') : true, meaning: isSent ? meaningIn(form) : {}, errors: refusal?.fields ?? {}, scope: null, orgs: { offered: orgs.items, total: orgs.pagination.totalItems }, stacks })}<div class="full">${checkField({ name: 'test', label: 'Send a test at once', checked: isSent ? form.has('test') : true })}</div>${preview ?? ''}<div class="full actions"><button class="btn primary" type="submit">Add the webhook</button><button class="btn" type="submit" name="preview" value="true" formnovalidate>Show what I would get</button><span class="small muted">Its key is shown on the next page, once.</span></div>`,
  )}</section>`;
  return answerPage(
    visit,
    { name: 'webhooks', head: { title: 'Webhooks' }, body: accountFrame(shell, body) },
    { status: refusal?.status },
  );
}

function table(webhooks: readonly WebhookSubscription[], { now }: Shell): Html {
  const last = ({ lastSuccessAt, lastErrorAt }: WebhookSubscription) =>
    [lastSuccessAt, lastErrorAt]
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null;
  return html`<div class="table-wrap"><table class="table mid stacked"><caption class="sr">Your webhooks</caption><thead><tr><th scope="col">Goes to</th><th scope="col">About</th><th scope="col">Health</th><th scope="col">Last delivery</th><th scope="col">Format</th></tr></thead><tbody>${webhooks.map(
    (webhook) =>
      html`<tr><th scope="row"><a class="plain" href="/account/webhooks/${webhook.id}">${shownHost(webhook.url)}</a></th><td data-th="About">${aboutWords(webhook).join(', ')}</td><td data-th="Health">${webhookHealth(webhook)}</td><td data-th="Last delivery" class="when">${ago(last(webhook), now) || 'none yet'}</td><td data-th="Format">${FORMATS[webhook.format]}</td></tr>`,
  )}</tbody></table></div>`;
}
