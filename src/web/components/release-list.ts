// Releases grouped by day. More than five releases of one product on one day are collapsed.
import type { FeedItem } from '../../contract/release.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { type RowOptions, releaseRow } from './release-row.ts';
import { dayHeading } from './time.ts';
import { splitPackage } from './version.ts';

const SHOWN_OF_RUN = 5;

interface Day {
  // Null when the day is not known.
  day: string | null;
  runs: ReleaseRun[];
}

interface ReleaseRun {
  name: string;
  items: FeedItem[];
}

export function byDay(releases: readonly FeedItem[]): Day[] {
  const days: Day[] = [];
  for (const item of releases) {
    const day = item.publishedAt?.slice(0, 10) ?? null;
    let last = days.at(-1);
    if (!last || last.day !== day) {
      last = { day, runs: [] };
      days.push(last);
    }
    const name = item.product?.name ?? item.source.name;
    const run = last.runs.at(-1);
    if (run && run.name === name) run.items.push(item);
    else last.runs.push({ name, items: [item] });
  }
  return days;
}

export function releaseList(releases: readonly FeedItem[], options: RowOptions): Html {
  const solo = options.solo ? ` solo${options.solo === 'versions' ? ' versions' : ''}` : '';
  const isOnePackage = new Set(releases.map(({ version }) => splitPackage(version).name)).size === 1;
  const rows = { ...options, isOnePackage };
  const avatars = options.lead === 'source' ? ' no-avatars' : '';
  return html`<div class="days${solo}${avatars}">${byDay(releases).map((day) => daySection(day, rows))}</div>`;
}

function daySection({ day, runs }: Day, options: RowOptions): Html {
  const heading = day ? dayHeading(day, options.now) : { date: 'Undated', name: '' };
  const name = heading.name ? html` <span>${heading.name}</span>` : '';
  return html`<section class="day"><h2 class="day-head">${heading.date}${name}</h2><div>${runs.map((run) => runRows(run, options))}</div></section>
`;
}

function runRows({ name, items }: ReleaseRun, options: RowOptions): Html {
  // Where all rows are of one source, the fold would hide what the page is about.
  const open = options.solo && !items[0]?.publishedAt ? items.length : SHOWN_OF_RUN;
  const shown = items.slice(0, open).map((item) => releaseRow(item, options));
  const folded = items.slice(open);
  if (folded.length === 0) return html`${shown}`;
  return html`${shown}<details class="fold"><summary>${icon('chevron')}${folded.length} more of ${name}${items[0]?.publishedAt ? ' that day' : ', without a date'}</summary>${folded.map((item) => releaseRow(item, options))}</details>`;
}
