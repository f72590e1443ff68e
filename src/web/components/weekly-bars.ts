// Releases per week as bars. Weeks with a breaking release and weeks in which the source could not be read look
// different.

import { parseDay } from '../../domain/timestamps.ts';
import { verdictWord } from '../../domain/upgrade/verdict-words.ts';
import { withQuery } from '../links.ts';
import { type Html, html, plural, raw } from './html.ts';
import { shortDate } from './time.ts';

interface Week {
  weekStart: string;
  count: number;
  earliestVersion?: string | null;
  latestVersion?: string | null;
  worst?: 'minor' | 'major';
  // The source could not be read during the week, so that its count may be too low.
  unread?: boolean;
}

const HEIGHT = 70;
const TOP = 14;

function versionsOf({ earliestVersion, latestVersion }: Week): string {
  if (!latestVersion) return '';
  return earliestVersion && earliestVersion !== latestVersion
    ? `, ${earliestVersion} to ${latestVersion}`
    : `, ${latestVersion}`;
}

function titleOf(week: Week): string {
  const doubt = week.unread ? ', could not be read' : '';
  return `Week of ${shortDate(week.weekStart)}: ${plural(week.count, 'release')}${versionsOf(week)}${doubt}`;
}

const escapeTitle = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const SHOWN_WEEKS = 26;
const MAX_WEEKS = 104;

export interface PlotRange {
  from: string;
  to: string;
}

// Whether the longest plot has a release: without a date, or with old ones alone, there is nothing to plot.
export function canBePlotted(latestDate: string | null, now: number): boolean {
  return latestDate !== null && now - Date.parse(latestDate) < MAX_WEEKS * WEEK;
}

// Weeks begin on Monday; the last one is the current week, or the week of the requested end. Days that are not valid
// are ignored, and a range of more than 104 weeks shows its latest 104.
export function plotRange(now: number, requested: { from?: string; to?: string } = {}): PlotRange {
  const today = Math.floor(now / DAY);
  const end = Math.min(today, dayNumber(requested.to) ?? today);
  const last = monday(end);
  const start = dayNumber(requested.from);
  const first = start === null || start > end ? last - (SHOWN_WEEKS - 1) * 7 : monday(start);
  return { from: dayText(Math.max(first, last - (MAX_WEEKS - 1) * 7)), to: dayText(end) };
}

const monday = (day: number) => day - ((day + 3) % 7);
const dayText = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

function dayNumber(text: string | undefined): number | null {
  const day = text === undefined ? null : parseDay(text);
  return day === null || day < '1970-01-05' ? null : Date.parse(day) / DAY;
}

interface Activity {
  weeks: readonly Week[];
  unreadWeeks?: readonly string[];
}

// The activity has no entries for weeks without a release; the plot shows them as empty.
export function everyWeek({ weeks, unreadWeeks = [] }: Activity, { from, to }: PlotRange): Week[] {
  const known = new Map(weeks.map((week) => [week.weekStart, week]));
  const unread = new Set(unreadWeeks);
  const all: Week[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += WEEK) {
    const weekStart = dayText(at / DAY);
    all.push(known.get(weekStart) ?? { weekStart, count: 0, unread: unread.has(weekStart) });
  }
  return all;
}

export function weeklyBars(activity: Activity, range: PlotRange): Html {
  const weeks = everyWeek(activity, range);
  if (weeks.every(({ count, unread }) => count === 0 && !unread)) return noBars(weeks);
  const most = Math.max(...weeks.map(({ count }) => count), 1);
  const total = weeks.reduce((sum, { count }) => sum + count, 0);
  const share = 100 / Math.max(1, weeks.length);
  const base = TOP + HEIGHT;
  let labelled = false;
  const bars = weeks.map((week, index) => {
    const x = (index * share).toFixed(3);
    const width = (share * 0.72).toFixed(3);
    const height = week.count === 0 ? 1 : Math.max(2, Math.round((week.count / most) * HEIGHT));
    const style = week.count === 0 ? ' class="zero"' : week.worst ? ` class="${week.worst}"` : '';
    const gap = week.unread
      ? `<rect class="gap" x="${x}%" y="${TOP}" width="${share.toFixed(3)}%" height="${HEIGHT}"/>`
      : '';
    const top = !labelled && week.count === most && total > 0;
    if (top) labelled = true;
    const label = top ? `<text x="${x}%" y="${base - height - 4}">${week.count}</text>` : '';
    return `${gap}<rect${style} x="${x}%" y="${base - height}" width="${width}%" height="${height}"><title>${escapeTitle(titleOf(week))}</title></rect>${label}`;
  });
  const lost = weeks.filter(({ unread }) => unread).length;
  const worstOf = (verdict: 'minor' | 'major') => weeks.filter(({ worst }) => worst === verdict).length;
  const [broken, lesser] = [worstOf('major'), worstOf('minor')];
  const words = [
    `${plural(total, 'release')} in ${plural(weeks.length, 'week')}`,
    broken > 0 ? `${plural(broken, 'week')} with a release that breaks` : '',
    lesser > 0 ? `${plural(lesser, 'week')} with one that may break` : '',
    lost > 0 ? `${plural(lost, 'week')} could not be read` : '',
  ]
    .filter(Boolean)
    .join('; ');
  return html`<svg class="bars" role="img" aria-label="${words}"><title>${words}</title>${raw(bars.join(''))}<line x1="0" x2="100%" y1="${base}" y2="${base}"/></svg>${legend(weeks)}${table(weeks)}`;
}

// A plot of nothing says less than a sentence.
function noBars(weeks: readonly Week[]): Html {
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (!first || !last) return '';
  return html`<p class="legend">No release is dated from ${shortDate(first.weekStart)} to ${shortDate(last.weekStart)}.</p>`;
}

const SPANS = [
  { weeks: SHOWN_WEEKS, name: '26 weeks' },
  { weeks: 52, name: '1 year' },
  { weeks: MAX_WEEKS, name: '2 years' },
];

// Links to the same page with other lengths of the plot.
export function plotSpans(
  path: string,
  query: URLSearchParams,
  { range, now }: { range: PlotRange; now: number },
): Html {
  const links = SPANS.map(({ weeks, name }) => {
    const from = dayText(monday(Math.floor(now / DAY)) - (weeks - 1) * 7);
    const isCurrent = range.from === from && range.to === dayText(Math.floor(now / DAY));
    const address = withQuery(path, query, { from: weeks === SHOWN_WEEKS ? null : from, to: null, cursor: null });
    return html`<a href="${address}"${isCurrent ? html` aria-current="true"` : ''}>${name}</a>`;
  });
  return html`<nav class="segmented" aria-label="Length of the plot">${links}</nav>`;
}

function legend(weeks: readonly Week[]): Html {
  const first = weeks[0];
  const last = weeks.at(-1);
  if (!first || !last) return '';
  const key = (style: string, words: string) =>
    html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${style}" width="10" height="10" rx="1.5"/></svg>${words}</span>`;
  return html`<p class="legend"><span>${shortDate(first.weekStart)} to ${shortDate(last.weekStart)}</span>${weeks.some(({ worst }) => worst === 'major') ? key('c-brk', 'with a release that breaks') : ''}${weeks.some(({ worst }) => worst === 'minor') ? key('c-minor', 'with one that may break') : ''}${weeks.some(({ unread }) => unread) ? key('gap-key', 'could not be read') : ''}</p>`;
}

function table(weeks: readonly Week[]): Html {
  const rows = weeks.map(
    (week) =>
      html`<tr><th scope="row">${week.weekStart}</th><td class="num">${week.count}</td><td>${versionsOf(week).slice(2)}</td><td>${[week.worst ? verdictWord(week.worst) : '', week.unread ? 'could not be read' : ''].filter(Boolean).join(', ')}</td></tr>`,
  );
  return html`<details class="plot-data"><summary>The numbers</summary><div class="table-wrap" tabindex="0" role="region" aria-label="Releases by week"><table class="table"><thead><tr><th scope="col">Week of</th><th scope="col" class="num">Releases</th><th scope="col">Versions</th><th scope="col">Notes</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
