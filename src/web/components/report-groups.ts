// The packages of a list by what one does next: the first rows of each group, and on a page of its own a whole group.
import { progressWords } from '../../domain/reports/progress.ts';
import { unknownSentence } from '../../domain/reports/unknown.ts';
import { GROUP_WORDS, GROUPS, groupOf, type ReportGroup, totalsOf } from '../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import { countWords } from '../../domain/upgrade/report/words.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { formatCount, type Html, html, plural, raw } from './html.ts';
import { type IconName, icon } from './icon.ts';
import { pager } from './parts.ts';
import { type ListRow, packageRow } from './report-rows.ts';
import { upcoming } from './time.ts';

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
  done: 'v-none',
  ignored: 'v-unknown',
};

const groupId = (group: ReportGroup) => group.replaceAll('_', '-');

// All packages on a bar, and their counts as links to the groups below.
export function reportCounts(rows: readonly ReportRow[]): Html {
  const totals = totalsOf(rows);
  const present = GROUPS.filter((group) => totals[group] > 0);
  if (present.length === 0) return '';
  let x = 0;
  const parts = present.map((group) => {
    const width = (100 * totals[group]) / rows.length;
    const part = html`<rect class="p-${GROUP_WORDS[group].level}" x="${x.toFixed(2)}%" y="1" width="${Math.max(0.4, width - 0.4).toFixed(2)}%" height="12" rx="2"/>`;
    x += width;
    return part;
  });
  const words = present.map((group) => countWords(group, totals[group])).join(', ');
  const links = present.map((group) => {
    const { level, one, many } = GROUP_WORDS[group];
    return html`<li class="${level}"><a href="#${groupId(group)}">${icon(ICONS[group])}<b>${formatCount(totals[group])}</b><span>${totals[group] === 1 ? one : many}</span></a></li>`;
  });
  return html`<svg class="riskbar" role="img" aria-label="${words}">${parts}</svg><ul class="risks">${links}</ul>`;
}

type Progress = Parameters<typeof progressWords>[0] & { retryAt: string | null };

// How far a list is read, in words and on a bar. `address` leads to the same page, for browsers without scripts.
export function progressLine(progress: Progress, address: string, now: number): Html {
  const words = progressWords(progress);
  if (words.length === 0) return '';
  const open = progress.reading + progress.unseen + progress.refused;
  const [done, share] = [progress.of - open, (100 * (progress.of - open)) / Math.max(1, progress.of)];
  const retry = progress.retryAt ? html`<span>More can be read ${upcoming(progress.retryAt, now)}.</span>` : '';
  const again =
    progress.reading + progress.unseen > 0
      ? html`<noscript><a href="${address}">Show what is known by now</a></noscript>`
      : '';
  return html`<p class="progress-line sp-top" role="status">${words.map((one) => html`<span>${one}</span>`)}${retry}${again}</p><svg class="run" role="img" aria-label="${formatCount(done)} of ${formatCount(progress.of)} are read"><rect class="bed" width="100%" height="6" rx="3"/><rect class="done" width="${share.toFixed(1)}%" height="6" rx="3"/></svg>`;
}

interface GroupsView {
  // The page, to which the group and the place are added.
  path: string;
  // The group that is shown alone, and its page; null: the first rows of all.
  group: string | null;
  page: number;
  // How many rows of a group are shown with the others.
  first: number;
  extras?: (row: ListRow) => Parameters<typeof packageRow>[1];
}

const ROWS_A_PAGE = 50;
// Of these the rows are shown; the others are a line each.
const LISTED: ReadonlySet<ReportGroup> = new Set(['breaks_used', 'security', 'breaks', 'may_break_used', 'may_break']);
const MAX_NAMED = 20;

// `rows` are in their order.
export async function reportGroups(rows: readonly ListRow[], view: GroupsView): Promise<Html> {
  const byGroup = Map.groupBy(rows, ({ shown }) => groupOf(shown));
  const alone = GROUPS.find((group) => groupId(group) === view.group && byGroup.has(group));
  if (alone) return wholeGroup(alone, byGroup.get(alone) ?? [], view);
  const sections: Html[] = [];
  for (const group of GROUPS) {
    const own = byGroup.get(group) ?? [];
    if (own.length > 0) sections.push(await section(group, own, view));
  }
  return html`${sections}`;
}

function groupHead(group: ReportGroup, words: string, note: string): Html {
  const { level } = GROUP_WORDS[group];
  return html`<div class="group-head ${level}" id="${groupId(group)}"><h2>${icon(ICONS[group])}${words}</h2><p>${note}</p></div>`;
}

function headWords(group: ReportGroup, count: number): string {
  const { next } = GROUP_WORDS[group];
  return `${countWords(group, count)}${next === '' ? '' : `: ${next}`}`;
}

async function section(group: ReportGroup, rows: readonly ListRow[], view: GroupsView): Promise<Html> {
  const { level, note } = GROUP_WORDS[group];
  const all = `${view.path}?group=${groupId(group)}`;
  if (group === 'not_known') {
    return html`<section class="risk-group" data-level="${level}">${groupHead(group, unknownSentence(rows), '')}<p class="small"><a href="${all}">Show ${formatCount(rows.length)}</a></p></section>
`;
  }
  if (!LISTED.has(group)) {
    const names = rows.slice(0, MAX_NAMED).map(({ shown }) => shown.package);
    const left = rows.length - names.length;
    return html`<section class="risk-group" data-level="${level}">${groupHead(group, headWords(group, rows.length), group === 'no_sign' ? 'It is no promise.' : note)}<p class="small muted mono wrap-anywhere">${names.join(', ')}${left > 0 ? ` and ${formatCount(left)} more` : ''}</p><p class="small"><a href="${all}">Show ${formatCount(rows.length)}</a></p></section>
`;
  }
  const shown = rows.slice(0, view.first);
  const left = rows.length - shown.length;
  const next =
    left > 0
      ? pager(`${formatCount(shown.length)} of ${formatCount(rows.length)}`, {
          path: all,
          name: `Show ${formatCount(rows.length)}`,
        })
      : '';
  return html`<section class="risk-group" data-level="${level}">${groupHead(group, headWords(group, rows.length), note)}${await list(shown, view)}${next}</section>
`;
}

async function wholeGroup(group: ReportGroup, rows: readonly ListRow[], view: GroupsView): Promise<Html> {
  const last = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const page = Math.min(Math.max(1, view.page), last);
  const shown = rows.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
  const words = group === 'not_known' ? unknownSentence(rows) : headWords(group, rows.length);
  const from = (page - 1) * ROWS_A_PAGE + 1;
  const next =
    page < last
      ? {
          path: `${view.path}?group=${groupId(group)}&page=${page + 1}`,
          name: `Next ${Math.min(ROWS_A_PAGE, rows.length - page * ROWS_A_PAGE)}`,
        }
      : null;
  return html`<section class="risk-group" data-level="${GROUP_WORDS[group].level}">${groupHead(group, words, GROUP_WORDS[group].note)}<p class="small"><a href="${view.path}">All groups</a></p>${await list(shown, view)}${rows.length > ROWS_A_PAGE ? pager(`${formatCount(from)} to ${formatCount(from + shown.length - 1)} of ${plural(rows.length, 'package')}`, next) : ''}</section>`;
}

const JOINED_AT_ONCE = 20;

// Rows are joined a few at a time, because each keeps the many parts that it was put together from.
async function list(rows: readonly ListRow[], { extras }: GroupsView): Promise<Html> {
  const all: Html[] = [];
  for (let start = 0; start < rows.length; start += JOINED_AT_ONCE) {
    await endLongTurn();
    const part = rows.slice(start, start + JOINED_AT_ONCE);
    all.push(raw(part.map((row) => packageRow(row, extras?.(row))).join('')));
  }
  return html`<ul class="pkgs">${all}</ul>`;
}
