// What the published packages themselves show of an upgrade: one line among the witnesses, and the changes in detail.
import type { EvidenceFinding } from '../../contract/evidence.ts';
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { type ComparedVersions, findingWitness } from './finding-witness.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';
import { listed } from './upgrade-gaps.ts';
import { bareVersion } from './verdict.ts';
import { isBreakingVersion } from './version-lanes.ts';

type Evidence = NonNullable<WhatsChanged['evidence']>;

const SHOWN_CHANGES = 3;
const MAX_NAMED = 6;

const STATES: Record<Evidence['status'], string> = {
  compared: 'Types and package.json compared.',
  no_types: 'package.json and plain names compared; it has no types.',
  pending: 'The packages are being compared.',
  not_ordered: 'The packages have not been compared yet.',
  too_large: 'The packages are too large to compare.',
  not_available: 'One of the two packages is not available.',
  off: 'Packages are not compared here.',
};

// Only what a package registry lists can be downloaded.
const UNLISTED =
  'Its published versions are not listed here yet, so nothing was compared. They are listed once this registry has read npm.';

// The line about the package; nothing where packages of the ecosystem are not compared.
export function packageRow({ evidence, entries, history, undocumented }: WhatsChanged): Html {
  if (evidence === undefined) return '';
  const { status, counts, pairs } = evidence;
  const state = status === 'not_available' && (history?.published ?? null) === null ? UNLISTED : STATES[status];
  const alone = entries.filter((entry) => isBreakingVersion(entry) && entry.breaking !== 'major');
  const also =
    alone.length > 0
      ? ` Also ${listed(
          alone.map(({ version }) => bareVersion(version ?? '')),
          MAX_NAMED,
        )}.`
      : '';
  const silent = undocumented ? ' The notes do not mention it.' : also;
  const steps = pairs.length > 1 ? ` Published files compared in ${pairs.length} steps.` : '';
  return html`<div><dt>${icon('package')}Package itself</dt><dd>${counted(status, counts)}<span class="why">${state}${steps}${silent}</span></dd></div>`;
}

function counted(status: Evidence['status'], { proven, likely }: Evidence['counts']): Html {
  if (proven + likely === 0) {
    return status === 'compared' || status === 'no_types' ? html`<b>No change that breaks</b>. ` : '';
  }
  const words = [
    proven > 0 ? `${proven} proven` : '',
    likely > 0 ? `${likely} by ${proven > 0 ? 'its' : 'the'} types` : '',
  ]
    .filter(Boolean)
    .join(' and ');
  return html`<b>${words}</b> ${proven + likely === 1 ? 'change' : 'changes'} that ${proven + likely === 1 ? 'breaks' : 'break'}. `;
}

// What the package of one version shows against the version before it.
export function shownByPackage({ version, evidence: own }: UpgradeEntry, evidence: WhatsChanged['evidence']): Html {
  const pair = own && version ? ownPair(evidence, version) : undefined;
  if (!pair || pair.findings.length === 0) return '';
  const item = (finding: EvidenceFinding) => findingItem(finding, pair);
  const [shown, more] = [pair.findings.slice(0, SHOWN_CHANGES), pair.findings.slice(SHOWN_CHANGES)];
  const folded = pair.counts.proven + pair.counts.likely - shown.length;
  return html`<div><h4>${icon('package')}Package shows</h4><ul class="findings">${shown.map(item)}</ul>${
    more.length > 0
      ? html`<details class="fold"><summary>${icon('chevron')}${plural(folded, 'more change')} of this version</summary><ul class="findings">${more.map(item)}</ul>${rest(folded - more.length)}</details>`
      : ''
  }</div>`;
}

type Pair = Evidence['pairs'][number];

// Of the pairs that end at a version, its own step begins last.
function ownPair(evidence: WhatsChanged['evidence'], version: string): Pair | undefined {
  return evidence?.pairs.findLast(({ to }) => to === bareVersion(version).replace(/^v(?=\d)/, ''));
}

// The changes of the whole range, or of its parts, that no version above has shown.
export function packageFindings({ evidence, entries, fromVersion, toVersion }: WhatsChanged): Html {
  const pairs = evidence?.pairs ?? [];
  const told = new Set(
    entries
      .filter(isBreakingVersion)
      .flatMap(({ version, evidence: own }) => (own && version ? (ownPair(evidence, version) ?? []) : [])),
  );
  const known = new Set([...told].flatMap(({ findings }) => findings.map(keyOf)));
  const whole = pairs.find(({ from, to }) => from === fromVersion && to === toVersion);
  const parts = (whole ? [whole] : pairs).filter((pair) => !told.has(pair));
  const shown = parts
    .map((pair) => ({ ...pair, findings: pair.findings.filter((one) => !known.has(keyOf(one))) }))
    .filter(({ findings }) => findings.length > 0);
  if (shown.length === 0) return '';
  return html`<section class="block" id="package"><h2>What the package itself shows</h2>${shown.map(
    ({ from, to, counts, findings }) =>
      html`<p class="section-note">Between ${from} and ${to}.</p><ul class="findings">${findings.map((one) => findingItem(one, { from, to }))}</ul>${known.size > 0 ? '' : rest(counts.proven + counts.likely - findings.length)}`,
  )}</section>`;
}

function keyOf({ kind, subpath, name }: EvidenceFinding): string {
  return JSON.stringify([kind, subpath, name]);
}

function rest(left: number): Html {
  return left > 0
    ? html`<p class="muted">${plural(left, 'more change is', 'more changes are')} not shown here.</p>`
    : '';
}

export function sureMark(certainty: EvidenceFinding['certainty']): Html {
  return certainty === 'proven'
    ? html`<span class="sure">${icon('check')}Proven</span>`
    : html`<span class="sure likely">${icon('likely')}By its types</span>`;
}

export function findingItem(finding: EvidenceFinding, versions: ComparedVersions | null): Html {
  const { kind, text, certainty, was, is, subpath } = finding;
  const entry =
    subpath === '' || subpath === '.' ? '' : html`<p class="entry">Imported from <code>${subpath}</code></p>`;
  return html`<li class="finding"><div class="what"><span>${inlineCode(text)}</span>${sureMark(certainty)}</div>${wasIs({ kind, was, is })}${entry}${findingWitness(finding, versions)}</li>`;
}

// A value before and after, with what differs marked in the one after.

const GONE: Partial<Record<EvidenceFinding['kind'], string>> = {
  export_removed: 'not exported any more',
  subpath_removed: 'no such entry point',
  bin_removed: 'no such command',
};

export function wasIs({ kind, was, is }: Pick<EvidenceFinding, 'kind' | 'was' | 'is'>): Html {
  if (was === null && is === null) return '';
  const after = is === null ? html`<span class="gone">${GONE[kind] ?? 'gone'}</span>` : marked(was ?? '', is);
  return html`<dl class="wasis">${was === null ? '' : html`<dt>Was</dt><dd>${was}</dd>`}<dt>Is</dt><dd>${after}</dd></dl>`;
}

// Only where the two have much in common: a mark over everything says nothing.
function marked(was: string, is: string): Html {
  const [before, after] = [partsOf(was), partsOf(is)];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = [...after.slice(0, start), ...after.slice(after.length - end)].join('');
  const changed = after.slice(start, after.length - end).join('');
  if (changed.trim() === '' || same.trim().length < changed.length / 2) return html`${is}`;
  return html`${after.slice(0, start).join('')}<span class="x">${changed}</span>${after.slice(after.length - end).join('')}`;
}

function partsOf(text: string): string[] {
  return text.match(/[\w$]+|\s+|[^\w\s$]/g) ?? [];
}
