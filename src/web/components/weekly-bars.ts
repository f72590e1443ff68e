// Releases by week on a zero baseline. Weeks with a breaking release and weeks that could not be read are told apart.
import { type Html, html, plural, raw } from './html.ts';
import { shortDate } from './time.ts';

interface Week {
  weekStart: string;
  count: number;
  earliestVersion?: string | null;
  latestVersion?: string | null;
  breaking?: boolean;
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

const WEEK = 7 * 86_400_000;
const SHOWN_WEEKS = 26;

// The range of the plot: so many whole weeks that begin on Monday, the last of which is the current one.
export function plotRange(now: number, weeks = SHOWN_WEEKS): { from: string; to: string } {
  const today = Math.floor(now / 86_400_000);
  const monday = today - ((today + 3) % 7);
  const day = (value: number) => new Date(value * 86_400_000).toISOString().slice(0, 10);
  return { from: day(monday - (weeks - 1) * 7), to: day(today) };
}

// Weeks without a release are not told; on the plot they stand as empty ones.
export function everyWeek(weeks: readonly Week[], { from, to }: { from: string; to: string }): Week[] {
  const known = new Map(weeks.map((week) => [week.weekStart, week]));
  const all: Week[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += WEEK) {
    const weekStart = new Date(at).toISOString().slice(0, 10);
    all.push(known.get(weekStart) ?? { weekStart, count: 0 });
  }
  return all;
}

export function weeklyBars(known: readonly Week[], range: { from: string; to: string }): Html {
  const weeks = everyWeek(known, range);
  const most = Math.max(...weeks.map(({ count }) => count), 1);
  const total = weeks.reduce((sum, { count }) => sum + count, 0);
  const share = 100 / Math.max(1, weeks.length);
  const base = TOP + HEIGHT;
  let labelled = false;
  const bars = weeks.map((week, index) => {
    const x = (index * share).toFixed(3);
    const width = (share * 0.72).toFixed(3);
    const height = week.count === 0 ? 1 : Math.max(2, Math.round((week.count / most) * HEIGHT));
    const style = week.count === 0 ? ' class="zero"' : week.breaking ? ' class="brk"' : '';
    const gap = week.unread
      ? `<rect class="gap" x="${x}%" y="${TOP}" width="${share.toFixed(3)}%" height="${HEIGHT}"/>`
      : '';
    const top = !labelled && week.count === most && total > 0;
    if (top) labelled = true;
    const label = top ? `<text x="${x}%" y="${base - height - 4}">${week.count}</text>` : '';
    return `${gap}<rect${style} x="${x}%" y="${base - height}" width="${width}%" height="${height}"><title>${escapeTitle(titleOf(week))}</title></rect>${label}`;
  });
  const words = `${plural(total, 'release')} in ${plural(weeks.length, 'week')}`;
  return html`<svg class="bars" role="img" aria-label="${words}"><title>${words}</title>${raw(bars.join(''))}<line x1="0" x2="100%" y1="${base}" y2="${base}"/></svg>${legend(weeks)}${table(weeks)}`;
}

function legend(weeks: readonly Week[]): Html {
  const first = weeks[0];
  const last = weeks.at(-1);
  if (!first || !last) return '';
  const key = (style: string, words: string) =>
    html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${style}" width="10" height="10" rx="1.5"/></svg>${words}</span>`;
  return html`<p class="legend"><span>${shortDate(first.weekStart)} to ${shortDate(last.weekStart)}</span>${weeks.some(({ breaking }) => breaking) ? key('c-brk', 'with a breaking release') : ''}${weeks.some(({ unread }) => unread) ? key('gap-key', 'could not be read') : ''}</p>`;
}

function table(weeks: readonly Week[]): Html {
  const rows = weeks.map(
    (week) =>
      html`<tr><th scope="row">${week.weekStart}</th><td class="num">${week.count}</td><td>${versionsOf(week).slice(2)}</td><td>${[week.breaking ? 'breaking' : '', week.unread ? 'could not be read' : ''].filter(Boolean).join(', ')}</td></tr>`,
  );
  return html`<details class="plot-data"><summary>The numbers</summary><div class="table-wrap" tabindex="0" role="region" aria-label="Releases by week"><table class="table"><thead><tr><th scope="col">Week of</th><th scope="col" class="num">Releases</th><th scope="col">Versions</th><th scope="col">Notes</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
