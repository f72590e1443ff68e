// /admin/webhooks: the operator's subscriptions, disabled ones, and dead letters.
import { text } from '../../../contract/query.ts';
import type { DeadLetters, WebhookSubscription } from '../../../contract/webhooks.ts';
import { type Html, html } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { empty, pager } from '../../components/parts.ts';
import { ago } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

export const webhooksPage = operatorPage({
  path: '/admin/webhooks',
  title: 'Webhooks',
  access: 'admin',
  query: { cursor: text({ max: 1000 }) },
  load: async ({ api, query }) => {
    const [{ subscriptions }, letters] = await Promise.all([
      api.get<{ subscriptions: WebhookSubscription[] }>('/webhooks'),
      api.get<DeadLetters>('/webhooks/dlq', {
        query: { limit: '50', ...(query.cursor ? { cursor: query.cursor } : {}) },
      }),
    ]);
    return { subscriptions, letters };
  },
  show: ({ subscriptions, letters }, { shell }) => {
    const off = subscriptions.filter(({ enabled, disabledReason }) => !enabled && disabledReason);
    return html`<h1>Webhooks</h1>
<section><h2>Switched off by the registry</h2>${
      off.length === 0
        ? html`<p class="muted">None. A webhook is switched off when its receiver fails for long.</p>`
        : operatorTable(
            'Switched off',
            [{ name: 'Receiver' }, { name: 'Why' }, { name: 'Failing since' }],
            off.map((hook) => [
              html`${hostOf(hook.url)}`,
              html`${hook.disabledReason ?? ''}`,
              ago(hook.failureStreakStartedAt, shell.now),
            ]),
          )
    }</section>
<section><h2>Dead letters</h2>${
      letters.items.length === 0
        ? html`<p class="muted">None. Deliveries that failed for good are listed here.</p>`
        : operatorTable(
            'Dead letters',
            [{ name: 'Delivery' }, { name: 'Last answer' }, { name: 'When' }, { name: 'Actions' }],
            letters.items.map((letter) => letterRow(letter, shell)),
          )
    }${pager('Newest first', letters.pagination.nextCursor ? { path: withQuery('/admin/webhooks', shell.query, { cursor: letters.pagination.nextCursor, done: null }), name: 'Older' } : null)}</section>
<section><h2>Subscriptions</h2>${
      subscriptions.length === 0
        ? empty({ title: 'No subscription', text: 'Create one over the API: POST /v1/webhooks.' })
        : operatorTable(
            'Subscriptions',
            [{ name: 'Receiver' }, { name: 'State' }, { name: 'Last success' }, { name: 'Actions' }],
            subscriptions.map((hook) => hookRow(hook, shell)),
          )
    }</section>`;
  },
});

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function hookRow(hook: WebhookSubscription, shell: Shell): Html[] {
  const host = hostOf(hook.url);
  const act = (verb: string, label: string) =>
    rowAction(shell, { action: `/admin/webhooks/${hook.id}/${verb}`, label, target: host });
  return [
    html`${host}<span class="muted small under mono">${hook.id}${hook.description ? `, ${hook.description}` : ''}</span>`,
    html`<span class="health ${hook.enabled ? 'ok' : 'paused'}">${hook.enabled ? 'Active' : 'Paused'}</span>`,
    hook.lastSuccessAt ? ago(hook.lastSuccessAt, shell.now) : html`never`,
    html`<div class="cluster">${act('test', 'Test')}${hook.enabled ? act('pause', 'Pause') : act('resume', 'Resume')}</div>`,
  ];
}

function letterRow(letter: DeadLetters['items'][number], shell: Shell): Html[] {
  const { delivery_id: id, host, http_status: status, error_message: error, timestamp } = letter;
  const act = (verb: string, label: string) =>
    rowAction(shell, { action: `/admin/webhooks/dlq/${id}/${verb}`, label, target: id });
  return [
    html`${host}<span class="muted small under mono">${id}</span>`,
    html`${status || error || 'none'}`,
    ago(timestamp, shell.now),
    html`<div class="cluster">${act('replay', 'Replay')}${act('dismiss', 'Dismiss')}</div>`,
  ];
}
