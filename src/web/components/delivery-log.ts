// The delivery log of a webhook: what was sent, what the receiver answered, when the next attempt is.
import type { DeliveryRow } from '../../contract/webhooks.ts';
import type { DeliverySubject } from '../../webhooks/log/deliveries.ts';
import type { Shell } from '../frame/shell.ts';
import { postForm } from './form.ts';
import { type Html, html } from './html.ts';
import { exact, timeMark } from './time.ts';

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

export function deliveryLog({ rows, subjects, replayAt }: LogView, shell: Shell): Html {
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
