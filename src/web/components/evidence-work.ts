// What operators see of the comparisons of published packages.
import type { EvidenceWork } from '../../contract/evidence.ts';
import type { Shell } from '../frame/shell.ts';
import { formatCount, type Html, html } from './html.ts';
import { operatorTable } from './operator-table.ts';
import { facts } from './parts.ts';
import { ago } from './time.ts';

const WORDS = { too_large: 'Too large', not_available: 'Not available' } as const;

export function evidencePart({ on, waiting, today, stored, refused }: EvidenceWork, { now }: Shell): Html {
  if (!on) {
    return html`<section class="block" id="comparisons"><h2>Package itself</h2><p>Packages are not compared: <code>REGISTRY_EVIDENCE=off</code>.</p></section>`;
  }
  const oldest = waiting.oldestAt ? html`, the oldest asked for ${ago(waiting.oldestAt, now)}` : html``;
  const rows = facts([
    [
      'Pairs compared',
      `${formatCount(stored.compared + stored.no_types)}; ${formatCount(today.pairs)} comparisons today`,
    ],
    ['Without types', stored.no_types > 0 ? `${formatCount(stored.no_types)}, only package.json and plain names` : ''],
    ['Too large or too slow', formatCount(stored.too_large)],
    ['Not to be had', formatCount(stored.not_available)],
    ['Waiting, asked for', html`${formatCount(waiting.asked)}${oldest}`],
    ['Waiting, newest steps', formatCount(waiting.ahead)],
    ['Downloaded today', `${megabytes(today.bytes)} of ${megabytes(today.limitBytes)}`],
    ['of it without a credential', megabytes(today.anonymousBytes)],
    ['Failed, tried again later', waiting.failing > 0 ? formatCount(waiting.failing) : ''],
  ]);
  return html`<section class="block" id="comparisons"><h2>Package itself</h2>${rows}
<p class="small muted sp-top">Off with <code>REGISTRY_EVIDENCE=off</code>. The daily limit is <code>REGISTRY_EVIDENCE_DAILY_MB</code>.</p>
${
  refused.length === 0
    ? ''
    : operatorTable(
        'Pairs without a comparison',
        [{ name: 'Package' }, { name: 'Step' }, { name: 'Outcome' }, { name: 'When' }],
        refused.map((pair) => [
          html`<span class="mono">${pair.name}</span>`,
          html`<span class="mono">${pair.from} → ${pair.to}</span>`,
          html`${WORDS[pair.status]}${pair.reason ? html`<span class="muted small under">${pair.reason}</span>` : ''}`,
          ago(pair.comparedAt, now),
        ]),
      )
}</section>`;
}

function megabytes(bytes: number): string {
  return `${formatCount(Math.ceil(bytes / 1_000_000))} MB`;
}
