// All versions of a range on a line, once by their notes and once by their packages, with links to those that break. The marks carry no text, which would overprint; the
// links do.
import type { Breaking } from '../../contract/enums.ts';
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { verdictWord } from '../../domain/upgrade/verdict-words.ts';
import { type Html, html, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { versionMark } from './marks.ts';
import { hasNotes, listed } from './upgrade-gaps.ts';
import { bareVersion, verdictGlyph } from './verdict.ts';

const MAX_MARKS = 400;
const MAX_JUMPS = 12;
// Two names of major versions closer than this, in percent, would overprint.
const ERA_GAP = 5;

// Breaking by its notes, or by what the package itself proves.
export function isBreakingVersion({ breaking, evidence }: UpgradeEntry): boolean {
  return breaking === 'major' || (evidence?.counts.proven ?? 0) > 0;
}

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const at = (x: number) => `${x.toFixed(2)}%`;

// The id of the part of the page about a version.
export function anchorOf(entry: UpgradeEntry): string {
  const { id, version, breaking } = entry;
  if (!isBreakingVersion(entry)) return breaking === 'minor' ? 'minor' : 'all';
  return `b-${version ? bareVersion(version).replaceAll(/[^\w.-]+/g, '-') : id}`;
}

export function versionLanes({ entries, evidence }: WhatsChanged): Html {
  if (entries.length < 2) return '';
  const step = 98.4 / (entries.length - 1);
  const place = (index: number) => 0.8 + index * step;
  const marks = entries.map((entry, index) => mark(entry, place(index), entries.length > MAX_MARKS));
  const count = (level: Breaking) => entries.filter(({ breaking }) => breaking === level).length;
  const words = `Notes: ${plural(entries.length, 'version')} in order: ${count('major')} breaking, ${count('minor')} ${verdictWord('minor')}, ${count('unknown')} ${verdictWord('unknown')}`;
  return html`<div class="over"><div class="lanes"><span class="lane-name">${icon('page')}Notes</span><svg class="lane" role="img" aria-label="${words}">${raw(`<line class="rule" x1="0" x2="100%" y1="14" y2="14"/>${marks.join('')}`)}</svg>${packageLane(entries, evidence, place)}${eras(entries, step)}</div>
${jumps(entries)}</div>`;
}

// Below the notes, so that a break which one of the two hides stands alone. Nothing is drawn while nothing was compared.
function packageLane(
  entries: readonly UpgradeEntry[],
  evidence: WhatsChanged['evidence'],
  place: (index: number) => number,
): Html {
  const pairs = evidence?.pairs ?? [];
  if (pairs.length === 0) return '';
  const named = (of: (counts: { proven: number; likely: number }) => boolean) =>
    entries.flatMap(({ evidence: own, version }) => (own && version && of(own.counts) ? bareVersion(version) : []));
  const proven = named((counts) => counts.proven > 0);
  const likely = named(({ proven, likely }) => proven === 0 && likely > 0);
  const words = [
    `Package: compared in ${plural(pairs.length, 'step')}`,
    proven.length > 0 ? `breaks at ${listed(proven, MAX_JUMPS)}` : '',
    likely.length > 0 ? `likely breaks at ${listed(likely, MAX_JUMPS)}` : '',
  ].filter(Boolean);
  const marks = entries.map((entry, index) => packageMark(entry, place(index)));
  return html`<span class="lane-name">${icon('package')}Package</span><svg class="lane" role="img" aria-label="${words.join('; ')}">${raw(`<line class="rule" x1="0" x2="100%" y1="14" y2="14"/><line class="span" x1="0" x2="100%" y1="14" y2="14"/>${marks.join('')}`)}</svg>`;
}

function packageMark({ version, title, evidence }: UpgradeEntry, x: number): string {
  const { proven = 0, likely = 0 } = evidence?.counts ?? {};
  if (proven + likely === 0) return '';
  const name = escapeText(version ? bareVersion(version) : title);
  return proven > 0
    ? `<svg x="${at(x)}" y="14"><title>${name}: the package breaks</title><path class="m" d="M0-9 9 0 0 9-9 0z"/></svg>`
    : `<svg x="${at(x)}" y="14"><title>${name}: likely</title><path class="h" d="M0-6 6 0 0 6-6 0z"/><path class="hf" d="M0-6 6 0 0 6z"/></svg>`;
}

function mark(entry: UpgradeEntry, x: number, breaksOnly: boolean): string {
  const name = escapeText(entry.version ? bareVersion(entry.version) : entry.title);
  const title = `<title>${name}: ${hasNotes(entry) ? verdictWord(entry.breaking) : 'no notes'}</title>`;
  if (entry.breaking === 'major')
    return `<svg x="${at(x)}" y="14">${title}<path class="m" d="M0-9 9 0 0 9-9 0z"/></svg>`;
  if (entry.breaking === 'minor') {
    return `<svg x="${at(x)}" y="14">${title}<path class="h" d="M0-6 6 0 0 6-6 0z"/><path class="hf" d="M0-6 6 0 0 6z"/></svg>`;
  }
  if (breaksOnly) return '';
  if (!hasNotes(entry)) return `<svg x="${at(x)}" y="14">${title}<circle class="hole" r="3"/></svg>`;
  const [style, y1, y2] = entry.breaking === 'none' ? ['tick', 9, 19] : ['unk', 11, 17];
  return `<line class="${style}" x1="${at(x)}" x2="${at(x)}" y1="${y1}" y2="${y2}">${title}</line>`;
}

// The major line of a version: "4.x".
export function eraOf({ version }: UpgradeEntry): string | null {
  const major = /^v?(\d+)(?:\.|$)/.exec(version ? bareVersion(version) : '')?.[1];
  return major === undefined ? null : `${major}.x`;
}

function eras(entries: readonly UpgradeEntry[], step: number): Html {
  let last = -Infinity;
  let name: string | null = null;
  const labels = entries.map((entry, index) => {
    const era = eraOf(entry);
    if (era === null || era === name) return '';
    name = era;
    const x = 0.8 + index * step;
    const line = `<line x1="${at(x)}" x2="${at(x)}" y1="0" y2="6"/>`;
    if (x - last < ERA_GAP || x > 96) return line;
    last = x;
    return `${line}<text x="${at(x)}" dx="4" y="15">${era}</text>`;
  });
  return html`<span class="lane-name empty-cell"></span><svg class="lane eras" aria-hidden="true">${raw(labels.join(''))}</svg>`;
}

function jumps(entries: readonly UpgradeEntry[]): Html {
  const major = entries.filter(isBreakingVersion);
  const minor = entries.filter(({ breaking }) => breaking === 'minor').length;
  const unknown = entries.filter(({ breaking }) => breaking === 'unknown').length;
  const links = [
    ...major
      .slice(0, MAX_JUMPS)
      .map(
        (entry) =>
          html`<a class="major" href="#${anchorOf(entry)}">${verdictGlyph('major')}${entry.version ? versionMark(bareVersion(entry.version)) : entry.title}${entry.breaking === 'major' ? '' : ' package only'}</a>`,
      ),
    major.length > MAX_JUMPS ? html`<a class="major" href="#breaking">${major.length - MAX_JUMPS} more</a>` : '',
    minor > 0 ? html`<a class="minor" href="#minor">${verdictGlyph('minor')}${minor} ${verdictWord('minor')}</a>` : '',
    unknown > 0
      ? html`<a class="unknown" href="#gaps">${verdictGlyph('unknown')}${unknown} ${verdictWord('unknown')}</a>`
      : '',
  ].filter((link) => link !== '');
  return links.length > 0 ? html`<nav class="jumps" aria-label="Jump to a version">${links}</nav>` : '';
}
