// A year of days: 53 columns of weeks that begin on Monday, coloured by quartile of the days that have releases.
import type { Heatmap } from '../../contract/activity.ts';
import { formatCount, type Html, html, plural, raw } from './html.ts';
import { shortDate } from './time.ts';

const DAY = 86_400_000;
const COLUMNS = 53;
const CELL = 8;
const LEFT = 26;
const TOP = 19;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// The upper bounds of the levels 1 to 3; level 4 is above them.
export function quartiles(counts: readonly number[]): [number, number, number] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return [at(0.25), at(0.5), at(0.75)];
}

export function levelOf(count: number, [first, second, third]: readonly [number, number, number]): number {
  if (count === 0) return 0;
  if (count <= first) return 1;
  if (count <= second) return 2;
  return count <= third ? 3 : 4;
}

export function heatmap({ dailyCounts, total }: Heatmap, now: number): Html {
  const counts = new Map(dailyCounts.map(({ date, count }) => [date, count]));
  const bounds = quartiles(dailyCounts.map(({ count }) => count));
  const { days, labels } = gridOf(Math.floor(now / DAY));
  const cells = days.map(({ iso, position, empty }) => {
    const count = counts.get(iso) ?? 0;
    return count === 0 ? empty : cell({ iso, position }, count, levelOf(count, bounds));
  });
  const words = describeYear(dailyCounts, total);
  const drawing = raw(`${labels}${cells.join('')}`);
  return html`<svg class="heat" viewBox="0 0 ${LEFT + COLUMNS * CELL} 76" role="img" aria-label="${words}"><title>${words}</title>${drawing}</svg><p class="small muted">${words}</p>`;
}

interface HeatmapDay {
  iso: string;
  // The coordinates as attributes.
  position: string;
}

interface HeatmapGrid {
  today: number;
  // With the cell of a day without a release, as most are.
  days: (HeatmapDay & { empty: string })[];
  labels: string;
}

let latest: HeatmapGrid | null = null;

// The days and labels are the same in every heatmap of a day, so those of the latest day are reused.
function gridOf(today: number): HeatmapGrid {
  if (latest?.today !== today) latest = newGrid(today);
  return latest;
}

function newGrid(today: number): HeatmapGrid {
  // Day 0 of the epoch was a Thursday, hence the offset of three days to Monday.
  const monday = today - ((today + 3) % 7);
  const first = monday - (COLUMNS - 1) * 7;
  const days: HeatmapGrid['days'] = [];
  const months: string[] = [];
  let month = -1;
  let labelled = -3;
  for (let day = first; day <= today; day += 1) {
    const iso = new Date(day * DAY).toISOString().slice(0, 10);
    const [column, row] = [Math.floor((day - first) / 7), (day - first) % 7];
    const [x, y] = [LEFT + column * CELL, TOP + row * CELL];
    const position = `x="${x}" y="${y}"`;
    days.push({ iso, position, empty: cell({ iso, position }, 0, 0) });
    const ofDay = Number(iso.slice(5, 7)) - 1;
    if (row === 0 && ofDay !== month) {
      // A month label is four columns wide; a label that would overlap its neighbour or the edge is left out.
      if (column >= labelled + 4 && column <= COLUMNS - 4) {
        months.push(`<text x="${x}" y="13">${MONTHS[ofDay]}</text>`);
        labelled = column;
      }
      month = ofDay;
    }
  }
  const weekdays = ['Mon', 'Wed', 'Fri'].map(
    (name, index) => `<text x="0" y="${TOP + 6 + index * 2 * CELL}">${name.slice(0, 1)}</text>`,
  );
  return { today, days, labels: [...months, ...weekdays].join('') };
}

// The size of a cell is in the style sheet: once for each day it would be an eighth of the page.
function cell({ iso, position }: HeatmapDay, count: number, level: number): string {
  return `<rect class="l${level}" ${position}><title>${iso}: ${plural(count, 'release')}</title></rect>`;
}

export function describeYear(days: Heatmap['dailyCounts'], total: number): string {
  if (total === 0) return 'No release in the last 52 weeks.';
  const busiest = days.reduce((best, day) => (day.count > best.count ? day : best));
  const gap = longestGap(days.filter(({ count }) => count > 0).map(({ date }) => date));
  const pause = gap > 1 ? `; the longest gap was ${plural(gap, 'day')}` : '';
  return `${plural(total, 'release')} in 52 weeks, most on ${shortDate(busiest.date)} (${formatCount(busiest.count)})${pause}.`;
}

function longestGap(dates: readonly string[]): number {
  const days = dates.map((date) => Date.parse(date) / DAY).sort((a, b) => a - b);
  return days.reduce((longest, day, index) => Math.max(longest, index === 0 ? 0 : day - (days[index - 1] ?? day)), 0);
}
