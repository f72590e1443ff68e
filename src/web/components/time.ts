// Relative times with the exact time beside them, in UTC.
import { type Html, html } from './html.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export function relative(iso: string, now: number): string {
  const away = now - Date.parse(iso);
  const size = Math.abs(away);
  const words = span(size);
  if (words === '') return 'just now';
  return away >= 0 ? `${words} ago` : `in ${words}`;
}

// A length of time in short words; empty below a minute.
export function duration(size: number): string {
  return span(size) || 'seconds';
}

function span(size: number): string {
  if (size < MINUTE) return '';
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`;
  if (size < 2 * DAY) return `${Math.floor(size / HOUR)} h`;
  if (size < 60 * DAY) return `${Math.floor(size / DAY)} d`;
  if (size < 730 * DAY) return `${Math.floor(size / (30.44 * DAY))} mo`;
  return `${Math.floor(size / (365.25 * DAY))} y`;
}

// A duration in words that fit into a sentence.
export function lasting(sinceIso: string, now: number): string {
  const size = Math.max(0, now - Date.parse(sinceIso));
  if (size < HOUR) return 'less than an hour';
  if (size < 2 * DAY) return `${Math.max(1, Math.floor(size / HOUR))} hours`.replace(/^1 hours$/, '1 hour');
  return `${Math.floor(size / DAY)} days`;
}

const pad = (value: number) => String(value).padStart(2, '0');

export function shortDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function monthOf(iso: string): string {
  const date = new Date(iso);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function longDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function exact(iso: string): string {
  const date = new Date(iso);
  return `${shortDate(iso)}, ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`;
}

export function timeMark(iso: string, words: string): Html {
  return html`<time datetime="${iso}" title="${exact(iso)} UTC">${words}</time>`;
}

export function ago(iso: string | null, now: number): Html {
  return iso ? timeMark(iso, relative(iso, now)) : '';
}

interface DayHeading {
  date: string;
  // The weekday, or Today and Yesterday.
  name: string;
}

export function dayHeading(day: string, now: number): DayHeading {
  const date = new Date(`${day}T00:00:00Z`);
  const sameYear = date.getUTCFullYear() === new Date(now).getUTCFullYear();
  const today = Math.floor(now / DAY) - Math.floor(date.getTime() / DAY);
  const name = today === 0 ? 'Today' : today === 1 ? 'Yesterday' : (WEEKDAYS[date.getUTCDay()] ?? '');
  const words = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return { date: sameYear ? words : `${words} ${date.getUTCFullYear()}`, name };
}

// A check whose time has passed is shown as due.
export function upcoming(iso: string | null, now: number): Html {
  if (iso === null) return html`–`;
  return Date.parse(iso) <= now ? timeMark(iso, 'due') : ago(iso, now);
}
