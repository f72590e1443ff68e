// The verdict on an upgrade as a sentence. When the registry lacks the data, the sentence never claims that nothing
// breaks.
import type { Breaking } from '../../contract/enums.ts';
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { verdictOf } from '../../insight/whats-changed/report.ts';
import { VERDICT_ICONS, VERDICT_WORDS } from './badge.ts';
import { type Html, html, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { shortDate } from './time.ts';
import { splitVersion } from './version.ts';

export function verdictSentence(answer: WhatsChanged): string {
  const { summary, history, status } = answer;
  const { major, minor, unknown } = summary.breaking;
  if (status !== 'resolved') return 'The registry cannot answer this';
  const level = verdictOf(answer);
  if (level === 'major') {
    const first = answer.entries.find(({ breaking }) => breaking === 'major')?.version;
    if (major > 1) return `Yes, it breaks: ${major} releases have breaking changes`;
    return first ? `Yes, it breaks: ${bareVersion(first)} has breaking changes` : 'Yes, it breaks';
  }
  if (level === 'minor')
    return minor === 1 ? 'A small break: look at one release' : `Small breaks: look at ${minor} releases`;
  if (level === 'none' && answer.reason === 'up_to_date')
    return `Nothing newer than ${bareVersion(answer.toVersion ?? answer.to)} is known`;
  if (level === 'none') return answer.total === 0 ? 'Nothing changed in this range' : 'No break that the notes tell of';
  if (history?.complete !== true)
    return history?.highest
      ? `Not known: the registry knows versions up to ${history.highest}`
      : 'Not known: no version is stored';
  if (answer.total === 0) return 'Not known: no release of this range is stored';
  return unknown === 1 ? 'Not known: one release does not say' : `Not known: ${unknown} releases do not say`;
}

// A version without the package that precedes it, for places that name the package already.
export function bareVersion(version: string): string {
  const { prefix, before, moved, after } = splitVersion(version);
  return prefix.length > 1 ? `${before}${moved}${after}` : version;
}

export function verdictGlyph(level: Breaking): Html {
  return icon(VERDICT_ICONS[level]);
}

export function totals(counts: Record<Breaking, number>, untracked?: number): Html {
  const rows: [Breaking, string][] = [
    ['major', 'breaking'],
    ['minor', 'minor'],
    ['none', 'without a break'],
    ['unknown', 'not judged'],
  ];
  return html`<ul class="totals" aria-label="Totals">${rows.map(([level, words]) => html`<li class="${level}">${verdictGlyph(level)}<span><b>${counts[level]}</b> ${words}</span></li>`)}${untracked === undefined ? '' : html`<li class="unknown">${icon('v-unknown')}<span><b>${untracked}</b> not tracked</span></li>`}</ul>`;
}

const MOST_ON_STRIP = 120;
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

// The releases in order on a line: ticks, and diamonds for those that break.
export function strip(entries: readonly UpgradeEntry[]): Html {
  if (entries.length < 2 || entries.length > MOST_ON_STRIP) return '';
  const step = 96.6 / (entries.length - 1);
  let labelEnd = -Infinity;
  const marks = entries.map((entry, index) => {
    const x = 1.2 + index * step;
    const at = `${x.toFixed(2)}%`;
    const version = escapeText(entry.version ? bareVersion(entry.version) : entry.title);
    const title = `<title>${version}: ${VERDICT_WORDS[entry.breaking]}${entry.publishedAt ? `, ${entry.publishedAt.slice(0, 10)}` : ''}</title>`;
    if (entry.breaking === 'none' || entry.breaking === 'unknown') {
      return `<line class="${entry.breaking === 'none' ? 'tick' : 'unk'}" x1="${at}" x2="${at}" y1="24" y2="36">${title}</line>`;
    }
    const fits = x - labelEnd > 8;
    if (fits) labelEnd = x;
    const anchor = x > 92 ? 'end' : x < 8 ? 'start' : 'middle';
    const label = fits
      ? `<text class="b" x="${anchor === 'end' ? '100%' : anchor === 'start' ? '0' : at}" y="11" text-anchor="${anchor}">${version}</text>`
      : '';
    const shape =
      entry.breaking === 'major'
        ? '<path class="m" d="M0-12 12 0 0 12-12 0z"/>'
        : '<path class="h" d="M0-8 8 0 0 8-8 0z"/><path class="hf" d="M0-8 8 0 0 8z"/>';
    return `<svg x="${at}" y="30">${title}${shape}</svg>${label}`;
  });
  const breaking = entries.filter(({ breaking }) => breaking === 'major').length;
  const words = `${plural(entries.length, 'release')} in order, ${breaking} breaking`;
  const [first, last] = [entries[0]?.publishedAt, entries.at(-1)?.publishedAt];
  const dates = `${first ? `<text x="0" y="57">${shortDate(first)}</text>` : ''}${last ? `<text x="100%" y="57" text-anchor="end">${shortDate(last)}</text>` : ''}`;
  return html`<svg class="strip" role="img" aria-label="${words}"><title>${words}</title>${raw(`<line x1="0" x2="100%" y1="30" y2="30"/>${marks.join('')}${dates}`)}</svg>`;
}
