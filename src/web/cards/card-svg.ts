// The drawing of a card for link previews, 1200 by 630. One template: texts are escaped and cut, and it refers to nothing outside.
import type { Breaking } from '../../contract/enums.ts';
import { escapeXml } from '../discovery/file.ts';

export interface Card {
  level: Breaking | null;
  // The first line: a name, and what is beside it.
  name: string;
  range: [from: string, to: string] | null;
  // One sentence.
  sentence: string;
  line: string;
  foot: string;
  lanes: CardLane[];
}

export type CardMark = 'major' | 'minor' | 'none' | 'unknown';

interface CardLane {
  name: string;
  marks: CardMark[];
}

const MAX_CHARACTERS = 60;
const MAX_MARKS = 80;
const COLORS: Record<CardMark, string> = { major: '#d72f29', minor: '#c27919', none: '#2f8d59', unknown: '#778286' };
const ACCENT = '#00617b';
const [INK, INK_2, INK_3, PAGE, LINE] = ['#131e21', '#3b464a', '#596468', '#fafcfd', '#dce2e3'];
// Every letter of the font is this wide, in parts of its size.
const WIDTH = 0.6;
const ROOM = 1040;
// What the font has: Latin letters and common signs.
const UNKNOWN = /[^\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2026]+/g;

export function cardSvg({ level, name, range, sentence, line, foot, lanes }: Card): string {
  const color = level === null ? ACCENT : COLORS[level];
  const lines = wrapped(drawable(sentence), 30, 2);
  const top = lanes.length > 0 ? 240 : 290;
  const title = cut(drawable(name), range === null ? 38 : 22);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="${PAGE}"/><rect width="1200" height="14" fill="${color}"/><g font-family="IBM Plex Mono" fill="${INK}">${text(title, { x: 80, y: 118, size: 44, strong: true })}${range === null ? '' : rangeText(range, 80 + (title.length + 1) * 44 * WIDTH)}${level === null ? '' : glyph(level, 104, top - 18, 26)}${lines.map((words, index) => text(words, { x: level === null ? 80 : 156, y: top + index * 68, size: 50, strong: true })).join('')}${text(cut(drawable(line), MAX_CHARACTERS - 4), { x: 80, y: top + lines.length * 68 + 6, size: 28, color: INK_2 })}${lanes.map((lane, index) => laneDrawing(lane, 460 + index * 56)).join('')}<svg x="80" y="572" width="30" height="30" viewBox="0 0 24 24" fill="${ACCENT}"><rect x="2" y="4" width="9" height="16" rx="1.5"/><rect x="13" y="10" width="5" height="10" rx="1.2"/><rect x="20" y="16" width="3" height="4" rx="1"/></svg>${text(cut(drawable(foot), MAX_CHARACTERS), { x: 122, y: 596, size: 24, color: INK_3 })}</g></svg>`;
}

interface TextPlace {
  x: number;
  y: number;
  size: number;
  strong?: boolean;
  color?: string;
}

function text(words: string, { x, y, size, strong = false, color }: TextPlace): string {
  if (words === '') return '';
  return `<text x="${x.toFixed(0)}" y="${y}" font-size="${size}"${strong ? ' font-family="IBM Plex Mono SemiBold"' : ''}${color ? ` fill="${color}"` : ''} xml:space="preserve">${escapeXml(words)}</text>`;
}

// The font has no arrow.
function rangeText([from, to]: [string, string], x: number): string {
  const [older, newer] = [cut(drawable(from), 10), cut(drawable(to), 10)];
  const [start, end] = [x + (older.length + 0.5) * 44 * WIDTH, x + (older.length + 2) * 44 * WIDTH];
  const arrow = `<path d="M${start.toFixed(0)} 103H${(end - 4).toFixed(0)}M${(end - 16).toFixed(0)} 91l12 12-12 12" fill="none" stroke="${INK_3}" stroke-width="4"/>`;
  return `${text(older, { x, y: 118, size: 44, color: INK_3 })}${arrow}${text(newer, { x: end + 0.5 * 44 * WIDTH, y: 118, size: 44, color: INK_3 })}`;
}

function laneDrawing({ name, marks }: CardLane, y: number): string {
  const shown = marks.length > MAX_MARKS ? thinned(marks) : marks;
  const gap = shown.length > 1 ? 820 / (shown.length - 1) : 0;
  const drawn = shown.map((mark, index) => {
    const x = 300 + index * gap;
    if (mark === 'major' || mark === 'minor') return glyph(mark, x, y, mark === 'major' ? 17 : 12);
    const half = mark === 'none' ? 9 : 4;
    return `<path d="M${x.toFixed(1)} ${y - half}v${2 * half}" stroke="${COLORS[mark]}" stroke-width="3"/>`;
  });
  return `${text(cut(drawable(name), 10), { x: 80, y: y + 9, size: 26, color: INK_2 })}<path d="M300 ${y}h820" stroke="${LINE}" stroke-width="2"/>${drawn.join('')}`;
}

// Of many versions those that break, and as many others as there is room for.
function thinned(marks: readonly CardMark[]): CardMark[] {
  const rank: Record<CardMark, number> = { major: 0, minor: 1, unknown: 2, none: 3 };
  const width = marks.length / MAX_MARKS;
  return Array.from({ length: MAX_MARKS }, (_, index) => {
    const part = marks.slice(
      Math.floor(index * width),
      Math.max(Math.floor(index * width) + 1, Math.floor((index + 1) * width)),
    );
    return part.toSorted((one, other) => rank[one] - rank[other])[0] ?? 'none';
  });
}

function glyph(level: CardMark, x: number, y: number, size: number): string {
  const path = `M${x.toFixed(1)} ${y - size}l${size} ${size}-${size} ${size}-${size}-${size}z`;
  if (level === 'major') return `<path d="${path}" fill="${COLORS.major}"/>`;
  if (level === 'minor')
    return `<path d="${path}" fill="${PAGE}" stroke="${COLORS.minor}" stroke-width="3"/><path d="M${x.toFixed(1)} ${y - size}l${size} ${size}-${size} ${size}z" fill="${COLORS.minor}"/>`;
  return `<circle cx="${x.toFixed(1)}" cy="${y}" r="${size - 4}" fill="none" stroke="${COLORS[level]}" stroke-width="5"/>`;
}

function drawable(words: string): string {
  return words.replaceAll('→', 'to').replaceAll('`', '').replaceAll(/\s+/g, ' ').replaceAll(UNKNOWN, '·').trim();
}

function cut(words: string, most: number): string {
  return words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words;
}

// On a few lines, as many words on each as there is room for.
function wrapped(words: string, room: number, most: number): string[] {
  const lines: string[] = [];
  let rest = cut(words, MAX_CHARACTERS);
  while (rest !== '' && lines.length < most) {
    const space = rest.length <= room ? rest.length : rest.lastIndexOf(' ', room);
    const end = lines.length === most - 1 ? rest.length : space > 0 ? space : room;
    lines.push(cut(rest.slice(0, end), Math.floor(ROOM / (50 * WIDTH))));
    rest = rest.slice(end).trim();
  }
  return lines;
}
