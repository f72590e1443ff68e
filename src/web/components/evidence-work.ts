// What operators see of the comparisons of published packages.
import type { EvidenceWork } from '../../contract/evidence.ts';
import type { Shell } from '../frame/shell.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { operatorTable } from './operator-table.ts';
import { ago } from './time.ts';

const WORDS = { too_large: 'Too large', not_available: 'Not available' } as const;

export function evidencePart({ on, waiting, today, stored, refused }: EvidenceWork, { now }: Shell): Html {
  if (!on) {
    return html`<section id="comparisons"><h2>Package itself</h2><p>Packages are not compared: <code>REGISTRY_EVIDENCE=off</code>.</p></section>`;
  }
  const oldest = waiting.oldestAt ? html`, the oldest asked for ${ago(waiting.oldestAt, now)}` : html``;
  return html`<section id="comparisons"><h2>Package itself</h2>
<p>${plural(stored.compared + stored.no_types, 'pair')} of published packages compared${stored.no_types > 0 ? html` (${formatCount(stored.no_types)} without types)` : ''}, ${formatCount(today.pairs)} of them today. ${plural(waiting.asked, 'pair')} that somebody asked for and ${formatCount(waiting.ahead)} newest steps wait${oldest}.</p>
<p class="small muted">Downloaded today: ${megabytes(today.bytes)} of ${megabytes(today.limitBytes)}, ${megabytes(today.anonymousBytes)} of it for callers without a credential.${waiting.failing > 0 ? ` ${plural(waiting.failing, 'download')} failed so far and will be tried again.` : ''}</p>
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
