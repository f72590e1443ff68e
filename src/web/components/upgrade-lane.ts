// All versions of a range on a line, with links to those that break. The marks carry no text, which would overprint; the
// links do.
import type { Breaking } from '../../contract/enums.ts';
import type { UpgradeEntry } from '../../contract/whats-changed.ts';
import { VERDICT_WORDS } from './badge.ts';
import { type Html, html, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { hasNotes } from './upgrade-gaps.ts';
import { bareVersion, verdictGlyph } from './verdict.ts';
import { versionMark } from './version.ts';

const MOST_MARKS = 400;
const MOST_JUMPS = 12;
// Two names of major versions closer than this, in percent, would overprint.
const ERA_GAP = 5;

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const at = (x: number) => `${x.toFixed(2)}%`;

// The id of the part of the page about a version.
export function anchorOf({ id, version, breaking }: UpgradeEntry): string {
  if (breaking !== 'major') return breaking === 'minor' ? 'minor' : 'all';
  return `b-${version ? bareVersion(version).replaceAll(/[^\w.-]+/g, '-') : id}`;
}

export function lane(entries: readonly UpgradeEntry[]): Html {
  if (entries.length < 2) return '';
  const step = 98.4 / (entries.length - 1);
  const marks = entries.map((entry, index) => mark(entry, 0.8 + index * step, entries.length > MOST_MARKS));
  const count = (level: Breaking) => entries.filter(({ breaking }) => breaking === level).length;
  const words = `${plural(entries.length, 'version')} in order: ${count('major')} breaking, ${count('minor')} minor, ${count('unknown')} not judged`;
  return html`<div class="over"><div class="lanes"><span class="lane-name">${icon('page')}Notes</span><svg class="lane" role="img" aria-label="${words}">${raw(`<line class="rule" x1="0" x2="100%" y1="14" y2="14"/>${marks.join('')}`)}</svg>${eras(entries, step)}</div>
${jumps(entries)}</div>`;
}

function mark(entry: UpgradeEntry, x: number, breaksOnly: boolean): string {
  const name = escapeText(entry.version ? bareVersion(entry.version) : entry.title);
  const title = `<title>${name}: ${hasNotes(entry) ? VERDICT_WORDS[entry.breaking].toLowerCase() : 'no notes'}</title>`;
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
  const major = entries.filter(({ breaking }) => breaking === 'major');
  const minor = entries.filter(({ breaking }) => breaking === 'minor').length;
  const unknown = entries.filter(({ breaking }) => breaking === 'unknown').length;
  const links = [
    ...major
      .slice(0, MOST_JUMPS)
      .map(
        (entry) =>
          html`<a class="major" href="#${anchorOf(entry)}">${verdictGlyph('major')}${entry.version ? versionMark(bareVersion(entry.version)) : entry.title}</a>`,
      ),
    major.length > MOST_JUMPS ? html`<a class="major" href="#breaking">${major.length - MOST_JUMPS} more</a>` : '',
    minor > 0 ? html`<a class="minor" href="#minor">${verdictGlyph('minor')}${minor} minor</a>` : '',
    unknown > 0 ? html`<a class="unknown" href="#gaps">${verdictGlyph('unknown')}${unknown} not judged</a>` : '',
  ].filter((link) => link !== '');
  return links.length > 0 ? html`<nav class="jumps" aria-label="Jump to a version">${links}</nav>` : '';
}
