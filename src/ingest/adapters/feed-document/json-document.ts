// JSON Feed 1 and 1.1 as neutral entries.
import { isMediaFile } from '../../../domain/html/media.ts';
import { type Body, type FeedDocument, type FeedEntry, texts } from './entry.ts';

const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//i;

type Json = Readonly<Record<string, unknown>>;

// Null for JSON of another kind: an object must carry the version of the format.
export function readJsonDocument(source: string): FeedDocument | null {
  const reading = readJson(source);
  if (reading === null || !isObject(reading.value) || !VERSION.test(textIn(reading.value, 'version') ?? ''))
    return null;
  const feed = reading.value;
  return {
    feedType: 'jsonfeed',
    title: textIn(feed, 'title'),
    siteUrl: textIn(feed, 'home_page_url'),
    entries: listIn(feed, 'items').filter(isObject).map(readEntry),
    cutOff: reading.cutOff,
    notes: reading.notes,
  };
}

function readEntry(item: Json): FeedEntry {
  const attachments = listIn(item, 'attachments').filter(isObject);
  return {
    title: body(textIn(item, 'title'), 'either'),
    addresses: texts(textIn(item, 'url')),
    guid: textIn(item, 'id'),
    guidIsAddress: true,
    bodies: [
      body(textIn(item, 'content_html'), 'either'),
      body(textIn(item, 'content_text'), 'text'),
      body(textIn(item, 'summary'), 'text'),
    ].filter((one) => one !== null),
    published: texts(textIn(item, 'date_published')),
    updated: texts(textIn(item, 'date_modified')),
    categories: texts(...listIn(item, 'tags').map((tag) => (typeof tag === 'string' ? tag : null))),
    media: [
      ...texts(textIn(item, 'image'), textIn(item, 'banner_image')).map((url) => ({ url })),
      ...attachments.flatMap((file) => {
        const url = textIn(file, 'url');
        return url && isMediaFile(url, textIn(file, 'mime_type') ?? undefined) ? [{ url }] : [];
      }),
    ],
    xmlBase: null,
    extra: {},
  };
}

function body(text: string | null, kind: Body['kind']): Body | null {
  return text === null || text.trim() === '' ? null : { text, kind };
}

function textIn(object: Json, key: string): string | null {
  const value = object[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function listIn(object: Json, key: string): unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

interface JsonReading {
  value: unknown;
  cutOff: boolean;
  notes: string[];
}

const CONTROL = /[\u0000-\u001f]/g;

// JSON as servers really send it: with something in front, with raw control characters, or cut off in the middle.
function readJson(source: string): JsonReading | null {
  const start = source.indexOf('{');
  if (start < 0) return null;
  const notes = source.slice(0, start).trim() === '' ? [] : ['leading junk skipped'];
  const text = source.slice(start);
  const whole = parsed(text);
  if (whole !== undefined) return { value: whole, cutOff: false, notes };

  // A space replaces control characters: outside of strings they are white space, inside they are invalid.
  const clean = text.replace(CONTROL, ' ');
  const repaired = parsed(clean);
  if (repaired !== undefined)
    return { value: repaired, cutOff: false, notes: [...notes, 'control characters removed'] };
  const beginning = parsed(completeItems(clean));
  return beginning === undefined ? null : { value: beginning, cutOff: true, notes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The text up to the last complete element of a list on the first level, with its open brackets closed.
function completeItems(text: string): string {
  let depth = 0;
  let inString = false;
  let end = 0;
  let closing = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (char === '[' && depth === 2) [end, closing] = [at + 1, ']}'];
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (char === '}' && depth === 2) [end, closing] = [at + 1, ']}'];
      if (char === ']' && depth === 1) [end, closing] = [at + 1, '}'];
    }
  }
  return text.slice(0, end) + closing;
}
