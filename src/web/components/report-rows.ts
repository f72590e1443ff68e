// One changed package of a list as a row that opens in place.
import type { Finding } from '../../domain/evidence/finding.ts';
import { readingWords } from '../../domain/reports/unknown.ts';
import { GROUP_WORDS, groupOf } from '../../domain/upgrade/report/groups.ts';
import { isBreak, type ReportRow } from '../../domain/upgrade/report/row.ts';
import { whatsChangedPath } from '../links.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { versionMark, versionRange } from './marks.ts';
import { findingItem } from './package-evidence.ts';
import { inlineCode } from './prose.ts';

// A row with what is read for it. The key stays the same while the row changes.
export interface ListRow {
  shown: ReportRow;
  reading: Parameters<typeof readingWords>[0]['reading'];
  isPending: boolean;
}

interface RowExtras {
  // Outside of its group a security fix is told by a mark.
  marked?: boolean;
  // Stands at the end of the opened row.
  more?: Html;
  // Stands at the right end of the row.
  side?: Html;
}

export function packageRow(
  { shown: row, ...state }: ListRow,
  { marked = false, more = '', side }: RowExtras = {},
): Html {
  const { package: name, from, to, direct, counts, ecosystem } = row;
  const mark = marked && row.security ? html`<span class="badge key">${icon('warning')}Security</span> ` : '';
  const end = side ?? (counts.versions > 0 ? plural(counts.versions, 'version') : '');
  const why = row.judgement === 'not_known' ? (readingWords(state) ?? row.reason) : row.reason;
  const cells = html`<span class="cells"><span class="pname">${name}${tags(row)}</span><span>${versions(from, to)}</span><span class="why">${mark}${inlineCode(shortened(why))}</span><span class="side">${end}</span></span>`;
  return html`<li${direct === true ? html` data-direct` : ''}><details class="pk" data-level="${levelOfRow(row)}" data-key="${ecosystem}:${name}@${from ?? ''}"><summary>${icon('chevron')}${cells}</summary><div class="pk-body">${detail(row)}<p class="cluster">${action(row)}</p>${more}</div></details></li>
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
