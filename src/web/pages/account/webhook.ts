// /account/webhooks/{id}: one webhook, its actions, and its latest deliveries.
import type { Context } from '../../../context.ts';
import { flag } from '../../../contract/query.ts';
import type { DeliveryRow, RotatedKey, SavedWebhook, WebhookSubscription } from '../../../contract/webhooks.ts';
import { isSigned } from '../../../domain/webhooks/format.ts';
import { shownHost } from '../../../domain/webhooks/target.ts';
import type { Reply } from '../../../http/kernel/reply.ts';
import { ESTIMATED_DAYS, estimateReleases } from '../../../webhooks/estimate.ts';
import { type DeliverySubject, deliverySubjects, listDeliveries } from '../../../webhooks/log/deliveries.ts';
import { getSubscription } from '../../../webhooks/subscriptions/list.ts';
import { accountOwner } from '../../../webhooks/subscriptions/owner.ts';
import { accountFrame, doneNotice, reveal, secretBox, statusBox } from '../../components/account-frame.ts';
import { checkField, errorSummary, postForm, selectField, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { meaningIn, readback, stackSubject } from '../../components/meaning-fields.ts';
import { crumbs, empty, noticeBox } from '../../components/parts.ts';
import { exact, shortDate, timeMark } from '../../components/time.ts';
import { aboutWords, FORMATS, webhookFields } from '../../components/webhook-fields.ts';
import { healthWords, webhookHealth } from '../../components/webhook-health.ts';
import { onceToken } from '../../forms/once.ts';
import type { Refusal } from '../../forms/refusal.ts';
import type { Shell } from '../../frame/shell.ts';
import { accountPage, answerPage, type Visit } from '../../visit.ts';

const ROWS = 15;

export const webhookPage = accountPage({
  path: '/account/webhooks/{id}',
  summary: 'One webhook',
  query: { failed: flag() },
  answer: (visit) => showWebhook(visit, { id: visit.params.id ?? '', failed: visit.query.failed }),
});

type WebhookForm = 'edit' | 'replay-range' | 'other';

interface WebhookView {
  id: string;
  failed?: boolean | undefined;
  refused?: { form: WebhookForm; refusal: Refusal };
  // New signing keys, shown once.
  keys?: Pick<SavedWebhook & RotatedKey, 'signingKey' | 'standardSecret' | 'previousKeyExpiresAt'>;
  // The result of a second action, such as the test of a new webhook.
  note?: string;
}

export async function showWebhook(visit: Visit, view: WebhookView): Promise<Reply> {
  const { ctx, shell } = visit;
  const { id, failed = false, refused, keys, note } = view;
  const own = { id, owner: accountOwner(ctx) };
  const [webhook, log] = await Promise.all([
    getSubscription(ctx, own),
    listDeliveries(ctx, { ...own, failed, limit: ROWS }),
  ]);
  const subjects = await deliverySubjects(
    ctx,
    log.data.map((row) => row.delivery_id),
  );
  const expected = await expectation(ctx, webhook);
  const path = `/account/webhooks/${id}`;
  const host = shownHost(webhook.url);
  const button = (name: string, words: string) =>
    postForm(shell, { name, action: `${path}/${name}` }, html`<button class="btn" type="submit">${words}</button>`);
  const body = html`${crumbs([{ name: 'Webhooks', path: '/account/webhooks' }], host)}
<div class="entity"><div class="entity-text"><h1>${host}</h1><p class="dot">${aboutWords(webhook).map((words) => html`<span>${words}</span>`)}<span>${FORMATS[webhook.format]}</span><span>since ${shortDate(webhook.createdAt)}</span></p>${webhook.description ? html`<p class="lede">${webhook.description}</p>` : ''}</div>${webhook.deliveryHealth === 'healthy' ? webhookHealth(webhook) : ''}</div>
${errorSummary(refused?.refusal)}${doneNotice(shell, DONE)}${note ? statusBox(note) : ''}${keys ? shownKeys(keys) : ''}${keys ? '' : warning(webhook)}
${expected}
<div class="actions">${button('test', 'Send a test')}${webhook.enabled ? button('pause', 'Pause') : button('resume', 'Resume')}
${reveal('Edit', editForm(visit, webhook, refused), { open: refused?.form === 'edit' })}
${isSigned(webhook.format) ? reveal('New key', rotateForm(visit, path)) : ''}
${reveal('Delete', postForm(shell, { name: 'delete', action: `${path}/delete`, className: 'form' }, html`<p>Deleting the webhook ends its deliveries, waiting ones included, and removes its log. It cannot be undone.</p><div><button class="btn danger" type="submit">Delete for good</button></div>`), { danger: true })}</div>
<section class="block"><div class="spread"><h2>Last deliveries</h2><nav class="segmented" aria-label="Show"><a href="${path}"${failed ? '' : html` aria-current="true"`}>All</a><a href="${path}?failed=true"${failed ? html` aria-current="true"` : ''}>Failed only</a></nav></div>
${log.data.length > 0 ? deliveryLog({ rows: log.data, subjects, replayAt: webhook.enabled ? path : null }, shell) : empty(failed ? { title: 'No failures', text: 'None of the attempts of the last 90 days failed.', action: { path, name: 'Show all' } } : { title: 'Nothing sent yet', text: 'Attempts appear here as soon as they are made.' })}
</section>
<section class="block"><h2>Replay a range</h2>${webhook.enabled ? replayForm(visit, path, refused) : html`<p class="muted">Resume the webhook first: nothing is sent while it is paused.</p>`}</section>`;
  return answerPage(
    visit,
    { name: 'webhook', head: { title: host }, body: accountFrame(shell, body) },
    { status: refused?.refusal.status },
  );
}

async function expectation(ctx: Context, webhook: WebhookSubscription): Promise<Html> {
  const { orgId, orgName, productName, sourceName, scope, stackName } = webhook;
  if (scope === 'stack') return readback({ subject: stackSubject(stackName ?? ''), meaning: webhook, count: null });
  const org = orgId === null ? null : { id: orgId };
  const count = await estimateReleases(ctx, accountOwner(ctx).userId, { ...webhook, org, meaning: webhook });
  const subject = sourceName ?? productName ?? orgName ?? 'everything you follow';
  return readback({ subject, meaning: webhook, count, days: ESTIMATED_DAYS });
}

const DONE = {
  test: 'A test is on its way. Reload in a moment to see how it went.',
  paused: 'Paused. Events of this time can be replayed later.',
  resumed: 'Resumed. Earlier failures no longer count.',
  edited: 'Saved. Retries that are waiting use the new settings too.',
  replayed: 'The event is on its way again.',
  repeated: 'The new key was already created. It is not shown again.',
};

function shownKeys({
  signingKey = '',
  standardSecret = '',
  previousKeyExpiresAt,
}: NonNullable<WebhookView['keys']>): Html {
  const old = previousKeyExpiresAt ? ` The old key signs beside it until ${exact(previousKeyExpiresAt)} UTC.` : '';
  return secretBox({
    title: 'Your signing key',
    text: `Copy it now: it is not shown again.${old}`,
    values: [
      { label: 'Standard Webhooks form', value: standardSecret },
      { label: 'Plain form', value: signingKey },
    ],
  });
}

function warning(webhook: WebhookSubscription): Html {
  const { deliveryHealth, lastErrorMsg } = webhook;
  if (deliveryHealth === 'healthy') return '';
  if (deliveryHealth === 'paused')
    return noticeBox('info', `${healthWords(webhook)}. Nothing is sent until you resume it.`);
  return noticeBox(
    deliveryHealth === 'failing' ? 'critical' : 'warning',
    html`<strong>${healthWords(webhook)}.</strong>${lastErrorMsg ? ` The last answer: ${lastErrorMsg}.` : ''} A webhook that goes on failing is switched off.`,
  );
}

function editForm({ ctx, shell, form }: Visit, webhook: WebhookSubscription, refused: WebhookView['refused']): Html {
  const refusal = refused?.form === 'edit' ? refused.refusal : undefined;
  const fields = webhookFields({
    values: refusal ? Object.fromEntries(form) : webhook,
    excludePrereleases: refusal ? form.has('excludePrereleases') : webhook.excludePrereleases,
    meaning: refusal ? meaningIn(form) : webhook,
    errors: refusal?.fields ?? {},
    scope: webhook.scope,
  });
  return postForm(
    shell,
    {
      name: 'edit',
      action: `/account/webhooks/${webhook.id}/edit`,
      values: { once: onceToken(ctx) },
      className: 'formgrid',
    },
    html`${fields}<div class="full actions"><button class="btn primary" type="submit">Save</button><span class="small muted">A change from a chat to JSON or plain text creates a key, which is shown once.</span></div>`,
  );
}

function rotateForm({ ctx, shell }: Visit, path: string): Html {
  return postForm(
    shell,
    { name: 'rotate', action: `${path}/rotate`, values: { once: onceToken(ctx) }, className: 'form' },
    html`<p>For a day deliveries carry both signatures, the old one and the new one.</p>${checkField({ name: 'revokeOld', label: 'End the old key at once', checked: false })}<div><button class="btn primary" type="submit">Make a new key</button></div>`,
  );
}

function replayForm({ shell, form }: Visit, path: string, refused: WebhookView['refused']): Html {
  const refusal = refused?.form === 'replay-range' ? refused.refusal : undefined;
  const typed = refusal ? form : new URLSearchParams();
  return postForm(
    shell,
    { name: 'replay-range', action: `${path}/replay`, className: 'formgrid' },
    html`${textField({ name: 'since', label: 'From', value: typed.get('since'), mono: true, help: 'UTC, such as 2026-11-01 or 2026-11-01T12:00:00Z; or 7d for the last seven days.', error: refusal?.fields.since })}${textField({ name: 'until', label: 'To', value: typed.get('until'), required: false, mono: true, help: 'Left empty: now.', error: refusal?.fields.until })}${selectField({ name: 'only', label: 'Which', value: typed.get('only'), options: { failed: 'Only what was not delivered', all: 'All events' }, error: refusal?.fields.only })}<div class="full actions"><button class="btn" type="submit">Replay</button><span class="small muted">At most 1,000 events at once, the oldest first.</span></div>`,
  );
}

// The delivery log of a webhook: what was sent, what the receiver answered, when the next attempt is.

const OUTCOMES: Record<DeliveryRow['outcome'], { mark: string; words: string }> = {
  success: { mark: 'ok', words: 'Delivered' },
  retry: { mark: 'stale', words: 'Failed, will retry' },
  perm_fail: { mark: 'failing', words: 'Failed' },
  dlq: { mark: 'failing', words: 'Given up' },
  auto_disabled: { mark: 'failing', words: 'Switched off' },
  skipped: { mark: 'paused', words: 'Skipped' },
};

interface LogView {
  rows: readonly DeliveryRow[];
  subjects: ReadonlyMap<string, DeliverySubject>;
  // The path of the webhook, below which deliveries are replayed; null when replaying is not offered.
  replayAt: string | null;
}

function deliveryLog({ rows, subjects, replayAt }: LogView, shell: Shell): Html {
  return html`<div class="table-wrap" tabindex="0" role="region" aria-label="Deliveries"><table class="table stacked"><thead><tr><th scope="col">Outcome</th><th scope="col">Event</th><th scope="col" class="num">Status</th><th scope="col" class="num">Took</th><th scope="col" class="num">Try</th><th scope="col">Message</th><th scope="col">When (UTC)</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>${rows.map((row) => logRow(row, { subject: subjects.get(row.delivery_id), replayAt }, shell))}</tbody></table></div>`;
}

function logRow(
  row: DeliveryRow,
  { subject, replayAt }: { subject: DeliverySubject | undefined; replayAt: string | null },
  shell: Shell,
): Html {
  const { mark, words } = OUTCOMES[row.outcome];
  const name = subjectWords(subject);
  const failed = row.outcome !== 'success' && row.outcome !== 'skipped';
  const next = row.next_attempt_at
    ? html` <span class="muted">(next at ${timeMark(row.next_attempt_at, exact(row.next_attempt_at))})</span>`
    : '';
  const replay =
    replayAt !== null && subject?.kind === 'release'
      ? postForm(
          shell,
          { name: 'replay', action: `${replayAt}/replay`, values: { deliveryId: row.delivery_id } },
          html`<button class="btn small quiet" type="submit">Replay<span class="sr"> ${name}</span></button>`,
        )
      : '';
  return html`<tr${failed ? html` class="bad"` : ''} data-outcome="${row.outcome}"><td class="nowrap"><span class="health ${mark}">${subject?.kind === 'test' ? `Test: ${words.toLowerCase()}` : words}</span></td><th scope="row">${name}${row.replay ? html` <span class="badge line">Replay</span>` : ''}</th><td data-th="Status" class="num"><span class="mono">${row.http_status === 0 ? '–' : row.http_status}</span></td><td data-th="Took" class="num">${tookWords(row.latency_ms)}</td><td data-th="Try" class="num">${row.attempt}</td><td class="msg">${row.error_message}${next}</td><td class="when">${timeMark(row.timestamp, exact(row.timestamp))}</td><td>${replay}</td></tr>
`;
}

function subjectWords(subject: DeliverySubject | undefined): string {
  if (subject?.kind === 'test') return 'Webhook test';
  if (subject?.kind !== 'release') return 'An event that is no longer stored';
  const { title, version } = subject;
  return version && !title.includes(version) ? `${title} ${version}` : title;
}

export function tookWords(ms: number): string {
  if (ms === 0) return '–';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
