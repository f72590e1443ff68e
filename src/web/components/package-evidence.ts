// What the published packages themselves show of an upgrade: one line among the witnesses, and the changes in detail.
import type { EvidenceFinding } from '../../contract/evidence.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';

type Evidence = NonNullable<WhatsChanged['evidence']>;

const STATES: Record<Evidence['status'], string> = {
  compared: 'Types and package.json compared.',
  no_types: 'package.json and plain names compared; it has no types.',
  pending: 'The packages are being compared. Reload in a minute.',
  not_ordered: 'The packages were not compared yet.',
  too_large: 'The packages are too large to compare.',
  not_available: 'One of the two packages cannot be had.',
  off: 'Packages are not compared here.',
};

// The line about the package; nothing where packages of the ecosystem are not compared.
export function packageRow({ evidence, undocumented }: WhatsChanged): Html {
  if (evidence === undefined) return '';
  const { status, counts } = evidence;
  const silent = undocumented ? ' The notes do not mention it.' : '';
  return html`<div><dt>${icon('package')}Package itself</dt><dd>${counted(status, counts)}<span class="why">${STATES[status]}${silent}</span></dd></div>`;
}

function counted(status: Evidence['status'], { proven, likely }: Evidence['counts']): Html {
  if (proven + likely === 0) {
    return status === 'compared' || status === 'no_types' ? html`<b>No change that breaks</b>. ` : '';
  }
  const words = [proven > 0 ? `${proven} proven` : '', likely > 0 ? `${likely} likely` : '']
    .filter(Boolean)
    .join(' and ');
  return html`<b>${words}</b> ${proven + likely === 1 ? 'change' : 'changes'} that ${proven + likely === 1 ? 'breaks' : 'break'}. `;
}

// The changes of the whole range, or of its steps while that is not compared.
export function packageFindings({ evidence, fromVersion, toVersion }: WhatsChanged): Html {
  const pairs = evidence?.pairs ?? [];
  const whole = pairs.find(({ from, to }) => from === fromVersion && to === toVersion);
  const shown = (whole ? [whole] : pairs).filter(({ findings }) => findings.length > 0);
  if (shown.length === 0) return '';
  return html`<section class="block" id="package"><h2>What the package itself shows</h2>${shown.map(
    ({ from, to, counts, findings }) =>
      html`<p class="section-note">Between ${from} and ${to}.</p><ul class="findings">${findings.map(findingItem)}</ul>${rest(counts.proven + counts.likely - findings.length)}`,
  )}</section>`;
}

function rest(left: number): Html {
  return left > 0
    ? html`<p class="muted">${plural(left, 'more change is', 'more changes are')} not shown here.</p>`
    : '';
}

export function findingItem({ text, certainty, was, is, subpath }: EvidenceFinding): Html {
  const sure =
    certainty === 'proven' ? html`<span class="sure">Proven</span>` : html`<span class="sure likely">Likely</span>`;
  const values =
    was === null && is === null
      ? ''
      : html`<dl class="wasis">${was === null ? '' : html`<dt>Was</dt><dd>${was}</dd>`}<dt>Is</dt><dd>${is ?? 'gone'}</dd></dl>`;
  const entry =
    subpath === '' || subpath === '.' ? '' : html`<p class="entry">Imported from <code>${subpath}</code></p>`;
  return html`<li class="finding"><div class="what"><span>${inlineCode(text)}</span>${sure}</div>${values}${entry}</li>`;
}
