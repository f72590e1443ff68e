// The years of a package as a picture, with the same in words below.
import type { Calendar } from '../../domain/breaking/calendar.ts';
import { type Html, html, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { versionMark } from './marks.ts';
import { longDate } from './time.ts';

const MAX_NAMED = 40;
const YEAR_MS = 365.25 * 86_400_000;
const DIAMOND = 'M0-7 7 0 0 7-7 0z';
const SMALL = 'M0-6 6 0 0 6-6 0z';

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function packageCalendar(calendar: Calendar | null): Html {
  if (calendar === null) return '';
  const [start, end] = [Date.parse(calendar.first), Date.parse(calendar.last)];
  const x = (date: string) => `${(1 + ((Date.parse(date) - start) / (end - start)) * 98).toFixed(2)}%`;
  const mark = ({ version, date }: { version: string; date: string }, path: string, what: string) =>
    `<svg x="${x(date)}" y="15"><title>${escapeText(version)}: ${what}, ${date.slice(0, 10)}</title>${path}</svg>`;
  const { majors, breaks, unnoted, floors } = calendar;
  const lanes = [
    lane(
      'Major lines',
      majors.map((one) => mark(one, `<path class="m" d="${DIAMOND}"/>`, 'a new major version')),
      majors.length,
    ),
    lane(
      'Breaks in between',
      [
        ...uncompared(calendar, x),
        ...breaks.map((one) =>
          mark(one, `<path class="h" d="${SMALL}"/><path class="hf" d="M0-6 6 0 0 6z"/>`, 'a proven break'),
        ),
      ],
      breaks.length,
    ),
    lane(
      'Node floor',
      [
        ...uncompared(calendar, x),
        ...floors.map((one) => mark(one, '<line class="floor" y1="-7" y2="7"/>', `needs Node ${escapeText(one.node)}`)),
      ],
      floors.length,
    ),
    lane(
      'Without notes',
      unnoted.map((one) => mark(one, '<circle class="hole" r="2.5"/>', 'no notes')),
      unnoted.length,
    ),
  ];
  return html`<section class="block" aria-labelledby="years"><h2 id="years">The years of this package</h2>
<div class="cal">${years(calendar, start, end)}${lanes}</div>
<p class="legend small muted">By the dates of its releases. Shaded: not compared, so nothing is known.</p>
<details class="fold"><summary>${icon('chevron')}The same in words</summary>${inWords(calendar)}</details></section>`;
}

function lane(name: string, marks: readonly string[], count: number): Html {
  return html`<span class="lane-name">${name}</span><svg role="img" aria-label="${name}: ${count}">${raw(`<line class="rule" x1="0" x2="100%" y1="15" y2="15"/>${marks.join('')}`)}</svg>`;
}

function uncompared({ first, last, compared }: Calendar, x: (date: string) => string): string[] {
  const edges = [{ since: '', until: first }, ...compared, { since: last, until: '' }];
  return edges.slice(1).flatMap(({ since }, index) => {
    const from = edges[index]?.until ?? first;
    if (from >= since) return [];
    const [left, right] = [Number.parseFloat(x(from)), Number.parseFloat(x(since))];
    return [
      `<rect class="out" x="${left}%" width="${(right - left).toFixed(2)}%" y="3" height="24"><title>not compared</title></rect>`,
    ];
  });
}

function years({ first, last }: Calendar, start: number, end: number): Html {
  const from = Number(first.slice(0, 4)) + 1;
  const count = Number(last.slice(0, 4)) - from + 1;
  if (count < 1) return '';
  // Names of years closer than this would overprint.
  const every = Math.max(1, Math.ceil((end - start) / YEAR_MS / 8));
  const texts = Array.from({ length: count }, (_, index) => from + index)
    .filter((year) => (year - from) % every === 0)
    .map(
      (year) =>
        `<text x="${(1 + ((Date.UTC(year, 0, 1) - start) / (end - start)) * 98).toFixed(2)}%" y="18">${year}</text>`,
    );
  return html`<span class="lane-name empty-cell"></span><svg aria-hidden="true">${raw(texts.join(''))}</svg>`;
}

function inWords({ majors, breaks, floors, unnoted, compared }: Calendar): Html {
  const list = <T extends { version: string; date: string }>(
    marks: readonly T[],
    more: (mark: T) => string = () => '',
  ) =>
    html`${[...marks]
      .reverse()
      .slice(0, MAX_NAMED)
      .map(
        (mark, index) =>
          html`${index > 0 ? ', ' : ''}${versionMark(mark.version)}${more(mark)} (${longDate(mark.date)})`,
      )}${marks.length > MAX_NAMED ? html` and ${marks.length - MAX_NAMED} more` : ''}`;
  const rows = [
    majors.length > 0 ? html`<li>New major versions: ${list(majors)}.</li>` : html`<li>No new major version.</li>`,
    breaks.length > 0 ? html`<li>Proven breaks in minors and patches: ${list(breaks)}.</li>` : '',
    floors.length > 0 ? html`<li>Node: ${list(floors, ({ node }) => ` needs ${node}`)}.</li>` : '',
    unnoted.length > 0 ? html`<li>${plural(unnoted.length, 'version')} without notes.</li>` : '',
    compared.length > 0
      ? html`<li>Compared: ${compared.map(({ since, until }, index) => html`${index > 0 ? ', ' : ''}${longDate(since)} to ${longDate(until)}`)}. Of other times nothing is known.</li>`
      : html`<li>Nothing of it was compared, so whether anything broke in between is not known.</li>`,
  ];
  return html`<ul class="mini plain-list">${rows}</ul>`;
}
