// The changed packages of a project by risk, as rows that open in place.
import type { OtherChange } from '../../domain/upgrade/lockfiles/upgrades.ts';
import type { ReportRow, UpgradeReport } from '../../insight/whats-changed/report.ts';
import { breaks, OTHER_WORDS, rowNote } from '../../insight/whats-changed/report-words.ts';
import { whatsChangedPath } from '../links.ts';
import { formatCount, type Html, html, join, plural } from './html.ts';
import { type IconName, icon } from './icon.ts';
import { inlineCode } from './prose.ts';
import { rowSteps } from './report-steps.ts';
import { versionMark, versionRange } from './version.ts';

export interface RiskGroup {
  id: string;
  level: 'major' | 'minor' | 'unknown' | 'none' | 'out';
  glyph: IconName;
  // What comes behind the number.
  words: string;
  note: string;
  count: (report: UpgradeReport) => number;
}

const ofRisk = (risk: ReportRow['risk']) => (report: UpgradeReport) => report.totals[risk];
const ofReason = (reason: OtherChange['reason']) => (report: UpgradeReport) =>
  report.others.filter((other) => other.reason === reason).length;

const BREAK = {
  id: 'breaks',
  level: 'major',
  glyph: 'v-major',
  words: 'break',
  note: 'Called breaking in the notes, or proven by the package itself.',
  count: ofRisk('major'),
} as const satisfies RiskGroup;
const MAY = {
  id: 'may-break',
  level: 'minor',
  glyph: 'v-minor',
  words: 'may break',
  note: 'The notes tell of a minor break, or the package itself makes one likely.',
  count: ofRisk('minor'),
} as const satisfies RiskGroup;
const UNKNOWN = {
  id: 'not-known',
  level: 'unknown',
  glyph: 'v-unknown',
  words: 'not known',
  note: 'Something is missing; the line says what.',
  count: ofRisk('unknown'),
} as const satisfies RiskGroup;
const NONE = {
  id: 'no-sign',
  level: 'none',
  glyph: 'v-none',
  words: 'no sign of a break',
  note: 'Every version of the range was read and judged, and the packages show no change that breaks, where they are compared. It is no promise.',
  count: ofRisk('none'),
} as const satisfies RiskGroup;
const NOT_TRACKED = {
  id: 'not-tracked',
  level: 'unknown',
  glyph: 'v-unknown',
  words: 'not tracked',
  note: 'Nobody has their notes read here, so nothing is known about them.',
  count: ofRisk('not_tracked'),
} as const satisfies RiskGroup;
const LOWERED = {
  id: 'downgrades',
  level: 'unknown',
  glyph: 'warning',
  words: 'downgrades',
  note: 'Notes tell what a newer version brings, not what an older one takes away.',
  count: ofReason('lowered'),
} as const satisfies RiskGroup;
const ELSEWHERE = {
  id: 'elsewhere',
  level: 'out',
  glyph: 'branch',
  words: 'not from a registry',
  note: 'Their code changed, but no registry has notes for it.',
  count: ofReason('elsewhere'),
} as const satisfies RiskGroup;

export const GROUPS: readonly RiskGroup[] = [BREAK, MAY, UNKNOWN, NONE, NOT_TRACKED, LOWERED, ELSEWHERE];

// More rows than this are folded where they ask nothing of the reader.
const MOST_OPEN = 10;
// In a longer report, packages of which nothing is known are one line each.
const MOST_DETAILED = 300;

// `track` has those read whose notes nobody tracks.
export function reportGroups(report: UpgradeReport, track: Html): Html {
  const isShort = report.rows.length > MOST_DETAILED;
  const rows = (risk: ReportRow['risk']) =>
    report.rows
      .filter((row) => row.risk === risk)
      .map((row) => (isShort && risk === 'not_tracked' ? flatRow(row) : packageRow(row)));
  const others = (reason: OtherChange['reason']) =>
    report.others.filter((other) => other.reason === reason).map(otherRow);
  return html`${group(BREAK, rows('major'))}${group(MAY, rows('minor'))}${group(UNKNOWN, rows('unknown'))}${group(NONE, rows('none'), { fold: true })}${group(NOT_TRACKED, rows('not_tracked'), { fold: true, action: track })}${group(LOWERED, others('lowered'))}${group(ELSEWHERE, others('elsewhere'))}${rest(report)}`;
}

function group(
  { id, level, glyph, words, note }: RiskGroup,
  rows: readonly Html[],
  { fold = false, action = '' }: { fold?: boolean; action?: Html } = {},
): Html {
  if (rows.length === 0) return '';
  const list = html`<ul class="pkgs">${rows}</ul>`;
  const singular = words === 'break' ? 'breaks' : words === 'downgrades' ? 'downgrade' : words;
  const title = rows.length === 1 ? `1 ${singular}` : `${formatCount(rows.length)} ${words}`;
  return html`<section class="risk-group" data-level="${level}"><div class="group-head ${level}" id="${id}"><h2>${icon(glyph)}${title}</h2><p>${note}</p></div>${action}${
    fold && rows.length > MOST_OPEN
      ? html`<details class="fold"><summary>${icon('chevron')}Show the ${formatCount(rows.length)} packages</summary>${list}</details>`
      : list
  }</section>
`;
}

function packageRow(row: ReportRow): Html {
  const { name, ecosystem, from, to, direct, risk, answer } = row;
  const address = whatsChangedPath({ package: name, from, to, ecosystem });
  const count = answer && answer.total > 0 ? plural(answer.total, 'version') : '';
  const cells = html`<span class="cells"><span class="pname">${name}${tags(row)}</span><span>${versionRange(answer?.fromVersion ?? from, answer?.toVersion ?? to)}</span><span class="why">${inlineCode(shortened(rowNote(row)))}</span><span class="side">${count}</span></span>`;
  return html`<li${direct === true ? html` data-direct` : ''}><details class="pk" data-level="${risk}"><summary>${icon('chevron')}${cells}</summary><div class="pk-body">${detail(row)}<p class="cluster">${actions(row, address)}</p></div></details></li>
`;
}

function flatRow(row: ReportRow): Html {
  const { name, from, to, direct } = row;
  return html`<li${direct === true ? html` data-direct` : ''}><div class="pk flat"><div><span></span><span class="cells"><span class="pname">${name}${tags(row)}</span><span>${versionRange(from, to)}</span></span></div></div></li>
`;
}

const LONGEST_NOTE = 160;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_NOTE ? `${line.slice(0, LONGEST_NOTE).toWellFormed().trimEnd()}…` : line;
}

function tags({ direct, dev, as }: Pick<ReportRow, 'direct' | 'dev' | 'as'>): Html {
  const words = [
    direct === null ? '' : direct ? 'direct' : 'indirect',
    dev ? 'for development' : '',
    as.length > 0 ? `installed as ${as.slice(0, 3).join(', ')}` : '',
  ].filter(Boolean);
  return words.length > 0 ? html`<span class="tagged">${words.join(', ')}</span>` : '';
}

const SHOWN_STEPS = 12;

function detail(row: ReportRow): Html {
  if (!breaks(row)) return html`<p>${explained(row)}</p>`;
  const list = rowSteps(row);
  if (list.length === 0)
    return html`<p>No note says what to change. Read the versions that break before you update.</p>`;
  const left = list.length - SHOWN_STEPS;
  return html`<ol class="plain-steps">${list.slice(0, SHOWN_STEPS).map((text) => html`<li>${inlineCode(text)}</li>`)}</ol>${left > 0 ? html`<p class="muted">${plural(left, 'more step is', 'more steps are')} with the whole range.</p>` : ''}`;
}

function explained({ risk, answer, name }: ReportRow): string {
  if (risk === 'not_tracked') return `The notes of ${name} are not tracked here, so nobody knows whether this breaks.`;
  if (risk === 'none') return 'What is stored shows no break. Behaviour can still change without a word.';
  if (answer?.reason === 'ambiguous') return 'Several sources have this name. Choose the one that is meant.';
  return 'What is not known can break. Read the notes of the versions in between before you update.';
}

function actions({ risk, answer, name }: ReportRow, address: string): Html[] {
  if (risk === 'not_tracked') {
    return [html`<a class="btn small" href="/search?${new URLSearchParams({ q: name })}">Look for ${name} here</a>`];
  }
  const words = answer?.reason === 'ambiguous' ? 'Choose the source' : `Whole range of ${name}`;
  return [html`<a class="btn small" href="${address}">${words}</a>`];
}

const ELSEWHERE_WORDS: Record<OtherChange['source'], string> = {
  registry: '',
  git: 'Git dependency: look at the commits between',
  file: 'Folder of a project: look at its own diff',
  link: 'Linked folder: look at its own diff',
  url: 'Archive of an address: look at what it holds',
};

function otherRow(other: OtherChange): Html {
  const { name, reason, direct, source } = other;
  const why = reason === 'lowered' ? 'Goes to a lower version' : ELSEWHERE_WORDS[source];
  return html`<li${direct === true ? html` data-direct` : ''}><div class="pk flat" data-level="unknown"><div><span></span><span class="cells"><span class="pname">${name}${tags(other)}</span><span>${moveOf(other)}</span><span class="why">${why}</span><span class="side"></span></span></div></div></li>
`;
}

function moveOf({ from, to, fromRef, toRef }: OtherChange): Html {
  if (from !== null && to !== null && from !== to) return versionRange(from, to);
  const [was, is] = [fromRef, toRef].map((ref) => shortRef(ref ?? ''));
  return html`<span class="mono small">${was === is || !was ? is : `${was} → ${is}`}</span>`;
}

// A commit in short, or the folder.
function shortRef(ref: string): string {
  const commit = /([0-9a-f]{7,64})$/i.exec(ref)?.[1];
  return commit ? commit.slice(0, 7) : ref.slice(0, 80);
}

const REST: readonly OtherChange['reason'][] = ['added', 'removed', 'any_version', 'unreadable'];
const REST_WORDS = { added: 'added', removed: 'removed' } as const;

// What has no earlier or later version to compare with, in one line that opens.
function rest({ others, othersOmitted }: UpgradeReport): Html {
  const list = others.filter(({ reason }) => REST.includes(reason));
  if (list.length === 0) return '';
  const counted = (reason: keyof typeof REST_WORDS) => list.filter((other) => other.reason === reason).length;
  const [added, removed] = [counted('added'), counted('removed')];
  const left = list.length - added - removed;
  const words = [
    added > 0 ? `${plural(added, 'package was', 'packages were')} added` : '',
    removed > 0 ? `${plural(removed, 'package was', 'packages were')} removed` : '',
    left > 0 ? `${plural(left, 'package has', 'packages have')} no version to compare` : '',
  ].filter(Boolean);
  const rows = list.map(
    ({ name, from, to, reason }) =>
      html`<li><span class="mono">${name}</span> ${OTHER_WORDS[reason]} ${from !== null && to !== null ? versionRange(from, to) : versionMark(to ?? from)}</li>`,
  );
  return html`<section class="block"><details class="fold"><summary>${icon('chevron')}${words.join(', ')}</summary><p class="section-note">They have no earlier or later version to compare with.</p><ul class="linklist">${join(rows)}</ul>${othersOmitted > 0 ? html`<p class="cut">${plural(othersOmitted, 'more package is', 'more packages are')} only counted.</p>` : ''}</details></section>`;
}
