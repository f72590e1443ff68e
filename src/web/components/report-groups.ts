// The changed packages of a project by risk, as rows that open in place.
import type { Finding } from '../../domain/evidence/finding.ts';
import { GROUP_WORDS, GROUPS, groupOf, type ReportGroup, totalsOf } from '../../domain/upgrade/report/groups.ts';
import { isBreak, type ReportRow } from '../../domain/upgrade/report/row.ts';
import { countWords } from '../../domain/upgrade/report/words.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { whatsChangedPath } from '../links.ts';
import { formatCount, type Html, html, join, plural, raw } from './html.ts';
import { type IconName, icon } from './icon.ts';
import { versionMark, versionRange } from './marks.ts';
import { findingItem } from './package-evidence.ts';
import { inlineCode } from './prose.ts';

const ICONS: Record<ReportGroup, IconName> = {
  breaks_used: 'v-major',
  security: 'warning',
  breaks: 'v-major',
  may_break_used: 'v-minor',
  may_break: 'v-minor',
  not_known: 'v-unknown',
  no_sign: 'v-none',
  elsewhere: 'branch',
  up_to_date: 'v-none',
  added: 'v-unknown',
  removed: 'v-unknown',
  ignored: 'v-unknown',
};

// Added and removed packages are one line below the groups.
const HEADED = GROUPS.filter((group) => group !== 'added' && group !== 'removed');

const idOf = (group: ReportGroup) => group.replaceAll('_', '-');

// More rows than this are folded where they ask nothing of the reader.
const MAX_OPEN = 10;
const FOLDED = new Set<ReportGroup>(['no_sign', 'up_to_date', 'ignored']);

// All changes on a bar, and their counts as links to the groups below.
export function reportCounts(rows: readonly ReportRow[]): Html {
  const totals = totalsOf(rows);
  const present = HEADED.filter((group) => totals[group] > 0);
  if (present.length === 0) return '';
  const all = present.reduce((sum, group) => sum + totals[group], 0);
  let x = 0;
  const parts = present.map((group) => {
    const width = (100 * totals[group]) / all;
    const part = html`<rect class="p-${GROUP_WORDS[group].level}" x="${x.toFixed(2)}%" y="1" width="${Math.max(0.4, width - 0.4).toFixed(2)}%" height="12" rx="2"/>`;
    x += width;
    return part;
  });
  const words = present.map((group) => countWords(group, totals[group])).join(', ');
  const links = present.map((group) => {
    const { level, one, many } = GROUP_WORDS[group];
    return html`<li class="${level}"><a href="#${idOf(group)}">${icon(ICONS[group])}<b>${formatCount(totals[group])}</b><span>${totals[group] === 1 ? one : many}</span></a></li>`;
  });
  return html`<div><svg class="riskbar" role="img" aria-label="${words}">${parts}</svg><ul class="risks">${links}</ul></div>`;
}

interface GroupExtras {
  // Has those read whose notes nobody tracks.
  track: Html;
  // The same for one of them, in its row; empty where that is not offered.
  trackOne?: (row: ReportRow) => Html;
  // Where the rest of a long group is listed that asks nothing of the reader; without it all rows are here.
  elsewhere?: Html;
  // How many added or removed packages are only counted.
  othersOmitted: number;
}

// `rows` are in their order. There may be thousands, so other requests are read between them.
export async function reportGroups(rows: readonly ReportRow[], extras: GroupExtras): Promise<Html> {
  const { track, trackOne, elsewhere, othersOmitted } = extras;
  const byGroup = Map.groupBy(rows, groupOf);
  const sections: Html[] = [];
  for (const group of HEADED) {
    const own = byGroup.get(group) ?? [];
    const shown: SectionExtras = group === 'not_known' ? { track, trackOne, elsewhere } : { track: '', elsewhere };
    sections.push(await section(group, own, shown));
  }
  return html`${sections}${rest(rows, othersOmitted)}`;
}

// So many rows of such a group are enough for a page of thousands of packages.
const MAX_LISTED = 200;

type SectionExtras = Omit<GroupExtras, 'othersOmitted'>;

async function section(group: ReportGroup, rows: readonly ReportRow[], extras: SectionExtras): Promise<Html> {
  if (rows.length === 0) return '';
  const { track, trackOne = () => '', elsewhere } = extras;
  const { level, note } = GROUP_WORDS[group];
  const isQuiet = FOLDED.has(group) || group === 'not_known';
  const listed = elsewhere && isQuiet ? rows.slice(0, MAX_LISTED) : rows;
  const drawn = (row: ReportRow) => {
    const own = trackOne(row);
    return group === 'elsewhere' ? otherRow(row) : own === '' ? packageRow(row) : untrackedRow(row, own);
  };
  const open = FOLDED.has(group) && rows.length > MAX_OPEN ? 0 : group === 'not_known' ? MAX_OPEN : listed.length;
  const list = open > 0 ? html`<ul class="pkgs">${await drawAll(listed.slice(0, open), drawn)}</ul>` : '';
  const left = listed.slice(open);
  const cut = rows.length - listed.length;
  const rest =
    cut > 0
      ? html`<p class="cut">${plural(cut, 'more package is', 'more packages are')} not listed here. ${elsewhere}</p>`
      : '';
  const folded =
    left.length === 0
      ? ''
      : html`<details class="fold"><summary>${icon('chevron')}Show ${open > 0 ? plural(left.length, 'more package') : `the ${cut > 0 ? 'first ' : ''}${plural(left.length, 'package')}`}</summary><ul class="pkgs">${await drawAll(left, drawn)}</ul>${rest}</details>`;
  return html`<section class="risk-group" data-level="${level}"><div class="group-head ${level}" id="${idOf(group)}"><h2>${icon(ICONS[group])}${countWords(group, rows.length)}</h2><p>${note}</p></div>${track}${list}${folded}</section>
`;
}

const JOINED_AT_ONCE = 20;

// Rows are joined a few at a time, because each keeps the many parts that it was put together from.
async function drawAll(rows: readonly ReportRow[], draw: (row: ReportRow) => Html): Promise<Html[]> {
  const all: Html[] = [];
  for (let start = 0; start < rows.length; start += JOINED_AT_ONCE) {
    await endLongTurn();
    all.push(
      raw(
        rows
          .slice(start, start + JOINED_AT_ONCE)
          .map(draw)
          .join(''),
      ),
    );
  }
  return all;
}

// `marked`: outside of its group a security fix is told by a mark.
export function packageRow(row: ReportRow, { marked = false }: { marked?: boolean } = {}): Html {
  const { package: name, from, to, direct, counts, reason } = row;
  const mark = marked && row.security ? html`<span class="badge key">${icon('warning')}Security</span> ` : '';
  const side = counts.versions > 0 ? plural(counts.versions, 'version') : '';
  const cells = html`<span class="cells"><span class="pname">${name}${tags(row)}</span><span>${versions(from, to)}</span><span class="why">${mark}${inlineCode(shortened(reason))}</span><span class="side">${side}</span></span>`;
  return html`<li${direct === true ? html` data-direct` : ''}><details class="pk" data-level="${levelOfRow(row)}"><summary>${icon('chevron')}${cells}</summary><div class="pk-body">${detail(row)}<p class="cluster">${action(row)}</p></div></details></li>
`;
}

// One where nothing newer is known.
function versions(from: string | null, to: string | null): Html {
  return from === to ? versionMark(from) : versionRange(from ?? '', to ?? '');
}

function levelOfRow(row: ReportRow): string {
  return row.verdict === 'not_tracked' && row.judgement === 'not_known'
    ? 'not_tracked'
    : GROUP_WORDS[row.judgement ?? groupOf(row)].level;
}

const MAX_NOTE_LENGTH = 160;

// Code that is cut stays code.
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_NOTE_LENGTH) return line;
  // At the end of a word, where there is one.
  const cut = line
    .slice(0, MAX_NOTE_LENGTH)
    .toWellFormed()
    .replace(/\s+\S*$/, '')
    .trimEnd();
  return `${cut}${cut.split('`').length % 2 === 0 ? '`' : ''}…`;
}

function tags({ direct, dev, as, copies }: ReportRow): Html {
  const words = [
    direct === null ? '' : direct ? 'direct' : 'indirect',
    dev ? 'for development' : '',
    copies > 1 ? `one of ${copies} copies` : '',
    as.length > 0 ? `installed as ${as.slice(0, 3).join(', ')}` : '',
  ].filter(Boolean);
  return words.length > 0 ? html`<span class="tagged">${words.join(', ')}</span>` : '';
}

const SHOWN_STEPS = 12;
const SHOWN_FINDINGS = 5;

function detail(row: ReportRow): Html {
  if (!isBreak(row)) return html`<p>${explained(row)}</p>`;
  return html`${stepList(row)}${findingList(row)}${gaps(row)}`;
}

function stepList({ steps, moreSteps }: ReportRow): Html {
  if (steps.length === 0)
    return html`<p>No steps were found in the notes. Read the versions that break before you update.</p>`;
  const shown = steps.slice(0, SHOWN_STEPS);
  const left = steps.length + moreSteps - shown.length;
  return html`<ol class="plain-steps">${shown.map(({ text }) => html`<li>${inlineCode(text)}</li>`)}</ol>${left > 0 ? html`<p class="muted">${plural(left, 'more step is', 'more steps are')} with the whole range.</p>` : ''}`;
}

function findingList({ findings, counts, undocumented }: ReportRow): Html {
  if (findings.length === 0) return '';
  const shown: readonly Finding[] = findings.slice(0, SHOWN_FINDINGS);
  const left = counts.proven + counts.likely - shown.length;
  const silent = undocumented ? ' The notes do not mention it.' : '';
  return html`<p class="cluster small"><span class="by">${icon('package')}Package itself</span><span>${plural(counts.proven + counts.likely, 'change')} that ${counts.proven + counts.likely === 1 ? 'breaks' : 'break'}.${silent}</span></p><ul class="findings">${shown.map((one) => findingItem(one, null))}</ul>${left > 0 ? html`<p class="muted">${plural(left, 'more change is', 'more changes are')} with the whole range.</p>` : ''}`;
}

function gaps({ counts: { versions, withoutNotes } }: ReportRow): Html {
  if (withoutNotes === 0) return '';
  return html`<p class="muted">${plural(versions, 'version has', 'versions have')} notes here, ${plural(withoutNotes, 'version has', 'versions have')} none.</p>`;
}

function explained(row: ReportRow): string {
  if (row.ignored) return `Ignored: ${row.ignored.reason}`;
  if (row.judgement === null) return 'There is nothing newer to compare with.';
  if (row.judgement === 'no_sign') return 'What is stored shows no break. Behaviour can still change without a word.';
  if (row.verdict === 'not_tracked')
    return `The notes of ${row.package} are not tracked here, so nobody knows whether this breaks.`;
  return 'What is not known can break. Read the notes of the versions in between before you update.';
}

function action({ verdict, judgement, package: name, ecosystem, from, to }: ReportRow): Html {
  if (verdict === 'not_tracked' && judgement === 'not_known') {
    return html`<a class="btn small fitted" href="/search?${new URLSearchParams({ q: name })}">Look for ${name} here</a>`;
  }
  if (from === null || to === null) return '';
  return html`<a class="btn small fitted" href="${whatsChangedPath({ package: name, from, to, ecosystem })}">Whole range of ${name}</a>`;
}

// A button in a row that opens would be a button in a button.
function untrackedRow({ package: name, from, to, reason }: ReportRow, button: Html): Html {
  return html`<li><div class="pk flat" data-level="not_tracked"><div><span></span><span class="cells"><span class="pname">${name}</span><span>${versions(from, to)}</span><span class="why">${inlineCode(shortened(reason))}</span><span class="side">${button}</span></span></div></div></li>
`;
}

// What comes from no registry has nothing to open.
function otherRow(row: ReportRow): Html {
  const { package: name, reason, direct } = row;
  return html`<li${direct === true ? html` data-direct` : ''}><div class="pk flat" data-level="unknown"><div><span></span><span class="cells"><span class="pname">${name}${tags(row)}</span><span>${moveOf(row)}</span><span class="why">${reason}</span><span class="side"></span></span></div></div></li>
`;
}

function moveOf({ from, to, notFromRegistry }: ReportRow): Html {
  if (from !== null && to !== null && from !== to) return versionRange(from, to);
  const [was, is] = [notFromRegistry?.from, notFromRegistry?.to].map((ref) => shortRef(ref ?? ''));
  return html`<span class="mono small">${was === is || !was ? is : `${was} → ${is}`}</span>`;
}

// A commit in short, or the folder.
function shortRef(ref: string): string {
  const commit = /([0-9a-f]{7,64})$/i.exec(ref)?.[1];
  return commit ? commit.slice(0, 7) : ref.slice(0, 80);
}

// What has no earlier or later version to compare with, in one line that opens.
function rest(rows: readonly ReportRow[], othersOmitted: number): Html {
  const list = rows.filter((row) => ['added', 'removed'].includes(groupOf(row)));
  if (list.length === 0) return '';
  const { added, removed } = totalsOf(list);
  const words = [
    added > 0 ? `${plural(added, 'package was', 'packages were')} added` : '',
    removed > 0 ? `${plural(removed, 'package was', 'packages were')} removed` : '',
  ].filter(Boolean);
  const items = list.map(
    (row) =>
      html`<li><span class="mono">${row.package}</span> ${GROUP_WORDS[groupOf(row)].one} ${versionMark(row.to ?? row.from)}</li>`,
  );
  return html`<section class="block"><details class="fold"><summary>${icon('chevron')}${words.join(', ')}</summary><p class="section-note">They have no earlier or later version to compare with.</p><ul class="linklist">${join(items)}</ul>${othersOmitted > 0 ? html`<p class="cut">${plural(othersOmitted, 'more package is', 'more packages are')} only counted.</p>` : ''}</details></section>`;
}
