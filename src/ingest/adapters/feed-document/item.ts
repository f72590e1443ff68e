// One entry of a feed as an item, by the field table.
import { createHash } from 'node:crypto';
import { renderInline } from '../../../domain/changelog/heading-text.ts';
import { type DateContext, readDate } from '../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { rawText } from '../../../domain/html/elements.ts';
import { bodyMedia, mediaOfNodes, selectMedia } from '../../../domain/html/media.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { lineText, linksIn, oneLine } from '../../../domain/html/text.ts';
import { htmlToMarkdown, textToMarkdown, toMarkdown, withoutForbidden } from '../../../domain/html/to-markdown.ts';
import { headingsOf } from '../../../domain/markdown/headings.ts';
import { cutAtWord } from '../../../domain/notes/cut.ts';
import { plainText } from '../../../domain/notes/index.ts';
import { sentenceSpans } from '../../../domain/notes/sentences.ts';
import { isHttpUrl } from '../../../domain/urls.ts';
import { versionInProse } from '../../../domain/versions/index.ts';
import type { Item } from '../contract.ts';
import type { Body, FeedEntry } from './entry.ts';

export interface ItemContext {
  // The base of relative addresses: the site of the feed, else the address of the feed.
  base: string | null;
  names: readonly string[];
  dates: DateContext;
}

export type EntryDate = Pick<Item, 'publishedAt' | 'datePrecision' | 'dateFromUpdated'>;

const MAX_TITLE = 500;
const MAX_GUID = 500;
const MAX_CATEGORIES = 50;

// Null for an entry that has nothing to make a title of.
export function itemOf(entry: FeedEntry, context: ItemContext, date = dateOf(entry, context.dates)): Item | null {
  const base = absoluteUrl(entry.xmlBase ?? undefined, context.base) ?? context.base;
  const url = addressOf(entry, base);
  const bases = { xmlBase: entry.xmlBase === null ? null : base, address: url ?? context.base };
  const body = fullestBody(entry.bodies);
  const content = body === null ? '' : markdownOf(body, bases);
  const title = titleOf(entry.title, content);
  if (title === null) return null;
  const attached = entry.media.flatMap((one) => {
    const address = absoluteUrl(one.url, base);
    return address === null ? [] : [{ ...one, url: address }];
  });
  const pictures = body === null ? [] : mediaIn(body, bases);
  return {
    title,
    content,
    version: versionInProse(title, context.names),
    url,
    guid: guidOf(entry.guid),
    ...date,
    media: selectMedia([...pictures, ...attached]),
    categories: entry.categories.map((text) => lineText(text).slice(0, 200)).slice(0, MAX_CATEGORIES),
    links: linksIn(content),
    origin: 'feed',
    confidence: 1,
  };
}

// The first date that can be parsed. A date of change counts only when there is no other.
export function dateOf({ published, updated }: FeedEntry, context: DateContext): EntryDate {
  for (const [list, dateFromUpdated] of [[published, false] as const, [updated, true] as const]) {
    for (const text of list) {
      const date = readDate(text, context);
      if (date) return { publishedAt: date.at, datePrecision: date.precision, dateFromUpdated };
    }
  }
  return { publishedAt: null, datePrecision: null, dateFromUpdated: false };
}

function addressOf({ addresses, guid, guidIsAddress }: FeedEntry, base: string | null): string | null {
  for (const text of addresses) {
    const url = absoluteUrl(text, base);
    if (url !== null && isHttpUrl(url)) return url;
  }
  return guid !== null && guidIsAddress && isHttpUrl(guid.trim()) ? guid.trim() : null;
}

// A guid is compared and never shown, so a long one is stored as its hash.
function guidOf(guid: string | null): string | null {
  const text = withoutForbidden(guid ?? '').trim();
  if (text === '') return null;
  return text.length <= MAX_GUID ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

function titleOf(title: Body | null, content: string): string | null {
  const text = title === null ? '' : withoutForbidden(title.kind === 'text' ? oneLine(title.text) : titleText(title));
  const chosen = text === '' ? titleFromContent(content) : text;
  return chosen === null ? null : chosen.slice(0, MAX_TITLE).toWellFormed();
}

function titleText({ kind, text }: Body): string {
  return kind === 'html' ? oneLine(rawText(parseHtml(text).children)) : lineText(text);
}

// The longest body; markup wins over plain text of the same length.
function fullestBody(bodies: readonly Body[]): Body | null {
  if (bodies.length < 2) return bodies[0] ?? null;
  const measured = bodies.map((body) => ({ body, length: visibleLength(body), isText: body.kind === 'text' }));
  measured.sort((a, b) => b.length - a.length || Number(a.isText) - Number(b.isText));
  return measured[0]?.body ?? null;
}

function visibleLength({ kind, text }: Body): number {
  return oneLine(kind === 'text' ? text : rawText(parseHtml(text).children)).length;
}

interface Bases {
  xmlBase: string | null;
  address: string | null;
}

function markdownOf({ kind, text }: Body, bases: Bases): string {
  if (kind === 'text') return textToMarkdown(text);
  return kind === 'html' ? htmlToMarkdown(parseHtml(text).children, bases) : toMarkdown(text, bases);
}

function mediaIn({ kind, text }: Body, bases: Bases) {
  return kind === 'html' ? mediaOfNodes(parseHtml(text).children, bases) : bodyMedia(text, bases);
}

const MAX_HEADING_LENGTH = 500;
const MAX_SENTENCE = 80;
const ENOUGH = 500;

// What an entry without a title is called: its first heading, else its first sentence.
function titleFromContent(markdown: string): string | null {
  const heading = firstHeading(markdown.slice(0, 20_000));
  const name = heading === undefined ? '' : oneLine(renderInline(heading));
  if (name !== '') return name;
  const text = plainText(markdown, ENOUGH);
  const [first] = sentenceSpans(text, 0, text.length);
  return first ? cutAtWord(text.slice(first.start, first.end), MAX_SENTENCE) || null : null;
}

function firstHeading(markdown: string): string | undefined {
  for (const { text } of headingsOf(markdown)) if (text !== '') return text.slice(0, MAX_HEADING_LENGTH);
  return undefined;
}
