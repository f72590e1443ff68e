// Parses a feed of any known format into items. Depends on the bytes and the clock alone.
import { createHash } from 'node:crypto';
import type { FeedType } from '../../../contract/enums.ts';
import { documentDayFirst } from '../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { decodeText } from '../../../domain/html/decode.ts';
import { rawText } from '../../../domain/html/elements.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { threadTask } from '../../../threads/task.ts';
import type { Item } from '../contract.ts';
import type { FeedDocument, FeedEntry } from './entry.ts';
import { dateOf, type EntryDate, type ItemContext, itemOf } from './item.ts';
import { readJsonDocument } from './json-document.ts';
import { readXmlDocument } from './xml-document.ts';

interface ParseOptions {
  // Where the feed was read.
  url: string;
  now: Date;
  names?: readonly string[];
  contentType?: string | null;
  // Makes an item of an entry in place of the common rule; null leaves the entry out.
  toItem?: (entry: FeedEntry, context: ItemContext, date: EntryDate) => Item | null;
}

export type ParsedFeed =
  | { ok: true; feedType: FeedType; title: string | null; siteUrl: string | null; items: Item[]; notes: string[] }
  // The document is damaged beyond repair, or no feed.
  | { ok: false; detail: string };

export const MAX_ITEMS = 500;

const PAGE = /^[\s\ufeff]{0,200}(?:<!--[\s\S]{0,2000}?-->\s{0,50})?<(?:!doctype\s+html|html)[\s>]/i;

export function parseFeed(input: Uint8Array | string, options: ParseOptions): ParsedFeed {
  const text = typeof input === 'string' ? input : decodeText(input, { contentType: options.contentType });
  const document = readDocument(text);
  if (document === null) return { ok: false, detail: unreadable(text) };
  const { entries, cutOff, feedType, title } = document;
  const notes = [...document.notes, ...(cutOff ? ['cut off: complete items kept'] : [])];
  if (entries.length === 0 && cutOff) return { ok: false, detail: 'cut off before the end of the first item' };
  const siteUrl = absoluteUrl(document.siteUrl ?? undefined, options.url);
  const items = itemsOf(entries, siteUrl ?? options.url, options);
  if (items.length === 0 && entries.length > 0 && !options.toItem) return { ok: false, detail: 'no item has a title' };
  return { ok: true, feedType, title, siteUrl, items, notes };
}

function readDocument(text: string): FeedDocument | null {
  if (/^[\s\ufeff)\]}',;]{0,100}\{/.test(text)) return readJsonDocument(text);
  if (PAGE.test(text.slice(0, 3000))) return null;
  const repaired = repairXml(text);
  if (repaired === null) return text.includes('jsonfeed.org/version') ? readJsonDocument(text) : null;
  const document = readXmlDocument(repaired.text);
  return document && { ...document, notes: [...repaired.notes, ...document.notes] };
}

function unreadable(text: string): string {
  if (text.trim() === '') return 'the body is empty';
  if (PAGE.test(text.slice(0, 3000))) return 'a page, not a feed';
  return /^\s*[{[]/.test(text) ? 'JSON, but no JSON Feed' : 'not a feed';
}

// The newest items by date; undated entries follow in their own order.
function itemsOf(entries: readonly FeedEntry[], base: string, options: ParseOptions): Item[] {
  const { now, names = [], toItem = itemOf } = options;
  const texts = entries.flatMap(({ published, updated }) => [...published, ...updated]);
  const context: ItemContext = { base, names, dates: { now, dayFirst: documentDayFirst(texts) } };
  const dated = entries.map((entry) => ({ entry, date: dateOf(entry, context.dates) }));
  if (dated.length > MAX_ITEMS) {
    dated.sort((a, b) => (b.date.publishedAt ?? '').localeCompare(a.date.publishedAt ?? ''));
    dated.length = MAX_ITEMS;
  }
  return dated.flatMap(({ entry, date }) => toItem(entry, context, date) ?? []);
}

// A hash of the items that ignores their order and everything else in the document.
export function itemSetHash(items: readonly Item[]): string {
  const lines = items.map((item) =>
    JSON.stringify([
      item.guid,
      item.url,
      item.title,
      item.version,
      item.publishedAt,
      item.content,
      item.media,
      item.categories,
    ]),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

export interface FeedBytes {
  body: Uint8Array | string;
  options: Omit<ParseOptions, 'toItem'>;
}

// With the hash of its items, which costs time where there is much text.
export type FeedReading = (ParsedFeed & { ok: true; itemsHash: string }) | (ParsedFeed & { ok: false });

export function withHash(feed: ParsedFeed): FeedReading {
  return feed.ok ? { ...feed, itemsHash: itemSetHash(feed.items) } : feed;
}

// The same on input that a thread can be given; entries become items by the common rule.
export function parseFeedDocument({ body, options }: FeedBytes): FeedReading {
  return withHash(parseFeed(body, options));
}

export const FEED_PARSING = threadTask(import.meta.url, parseFeedDocument);

// Repairs the text of a feed before it is parsed as XML.

interface RepairedXml {
  text: string;
  notes: string[];
}

const START = /<\?xml[\s?]|<!doctype\s+(?:rss|rdf|feed)|<(?:[\w.-]{1,40}:)?(?:rss|rdf|feed|channel)[\s>]/i;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const REFERENCES =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|&(?:#x?[0-9a-f]{1,7};|(?<name>[a-z][a-z0-9]{0,31});)?/gi;
const XML_NAMES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

// Null when nothing in the text begins a feed.
function repairXml(source: string): RepairedXml | null {
  const start = source.search(START);
  if (start < 0) return null;
  const notes = new Set<string>();
  if (source.slice(0, start).trim() !== '') notes.add('leading junk skipped');
  let text = source.slice(start).replace(CONTROL, () => {
    notes.add('control characters removed');
    return '';
  });
  text = withoutDoctype(text).replace(REFERENCES, (match, ...rest) => {
    if (!match.startsWith('&')) return match;
    if (match === '&') {
      notes.add('bare ampersands kept as text');
      return '&amp;';
    }
    const { name } = rest.at(-1) as { name?: string };
    if (name === undefined || XML_NAMES.has(name)) return match;
    const character = namedCharacter(name);
    notes.add(character === null ? 'unknown entities kept as text' : 'entities of HTML read');
    return character ?? `&amp;${name};`;
  });
  return { text, notes: [...notes] };
}

// The doctype is removed, so that a document can neither define nor load entities.
function withoutDoctype(text: string): string {
  const start = text.search(/<!doctype/i);
  if (start < 0) return text;
  const bracket = text.indexOf('[', start);
  const plainEnd = text.indexOf('>', start);
  const declares = bracket >= 0 && bracket < plainEnd;
  const close = declares ? text.indexOf(']', bracket) : start;
  const end = close < 0 ? plainEnd : text.indexOf('>', close);
  return end < 0 ? text : text.slice(0, start) + text.slice(end + 1);
}

const known = new Map<string, string | null>();

function namedCharacter(name: string): string | null {
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  const text = rawText(parseHtml(`&${name};`).children);
  const character = text.startsWith('&') || text.endsWith(';') ? null : text;
  // Names come from the document, so only known ones are cached: their number is bounded.
  if (character !== null) known.set(name, character);
  return character;
}
