// (e) State that a page carries as JSON for its own scripts: arrays of objects with title, date and body or slug.
import { type DateReading, readDate } from '../../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../../domain/html/addresses.ts';
import { elementsOf, rawText } from '../../../../domain/html/elements.ts';
import { bodyMedia } from '../../../../domain/html/media.ts';
import { lineText } from '../../../../domain/html/text.ts';
import { toMarkdown } from '../../../../domain/html/to-markdown.ts';
import { entry, type PageEntry, versionOfTitle } from '../entry.ts';
import { isObject, type PageJson, parseJson, textAt } from '../json.ts';
import type { PageDocument } from '../page-document.ts';
import { scoreEntries } from '../score.ts';

const TITLE = ['title', 'headline', 'heading', 'name'];
const DATE =
  'date publishedAt published_at publishedOn published publishDate publicationDate releaseDate release_date releasedAt released_at postedAt createdAt created_at'.split(
    ' ',
  );
const CHANGED = ['updatedAt', 'updated_at', 'modifiedAt'];
const BODY = 'body content contentHtml content_html bodyHtml html markdown text description summary excerpt'.split(' ');
const SLUG = ['url', 'permalink', 'href', 'path', 'link', 'slug'];
const VERSION = ['version', 'tag', 'versionNumber', 'version_number'];
const ASSIGNMENT = /^\s*(?:(?:window|self|globalThis)(?:\.|\[["']))?[\w$]{1,60}(?:["']\])?\s*=\s*(?=[{["J])/;
const MAX_NODES = 100_000;
const MAX_ENTRIES = 500;

export function parseState(page: PageDocument): PageEntry[] {
  let best: PageEntry[] = [];
  let bestScore = 0;
  for (const list of arraysOf(states(page))) {
    const entries = list
      .slice(0, MAX_ENTRIES)
      .flatMap((value) => (isObject(value) ? (readObject(page, value) ?? []) : []));
    if (entries.length < 1 || entries.length < list.length * 0.6) continue;
    const score = scoreEntries(page, entries, { least: 1 });
    if (score > bestScore || (score === bestScore && entries.length > best.length))
      [best, bestScore] = [entries, score];
  }
  return best;
}

function states({ nodes }: PageDocument): unknown[] {
  const found: unknown[] = [];
  for (const { name, attribs, children } of elementsOf(nodes)) {
    if (name !== 'script') continue;
    const type = attribs.type?.trim().toLowerCase() ?? '';
    const text = rawText(children, () => false);
    const value = /^application\/json\b/.test(type)
      ? parseJson(text)
      : /^(?:|module|text\/javascript)$/.test(type)
        ? assigned(text)
        : undefined;
    if (typeof value === 'object' && value !== null) found.push(value);
  }
  return found;
}

// `window.__STATE__ = {…};`, also as `JSON.parse("…")`.
function assigned(script: string): unknown {
  const start = ASSIGNMENT.exec(script)?.[0];
  if (start === undefined) return undefined;
  const value = script.slice(start.length).trim().replace(/;+$/, '');
  const quoted = /^JSON\.parse\((".*")\)$/s.exec(value)?.[1];
  const text = quoted === undefined ? value : parseJson(quoted);
  return typeof text === 'string' ? parseJson(text) : undefined;
}

function arraysOf(roots: readonly unknown[]): unknown[][] {
  const found: unknown[][] = [];
  const waiting: unknown[] = [...roots];
  for (let visited = 0; waiting.length > 0 && visited < MAX_NODES; visited += 1) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      if (value.length > 0 && isObject(value[0])) found.push(value);
      for (const inner of value.slice(0, MAX_NODES)) waiting.push(inner);
    } else if (isObject(value)) for (const inner of Object.values(value)) waiting.push(inner);
  }
  return found;
}

function readObject(page: PageDocument, node: PageJson): PageEntry | null {
  // Content systems wrap the fields of an entry.
  const fields = [node.attributes, node.fields, node.frontmatter, node.data].find(isObject);
  const value: PageJson = fields ? { ...node, ...fields } : node;
  const title = lineText(textAt(value, TITLE) ?? '');
  const published = dateAt(page, value, DATE);
  const date = published ?? dateAt(page, value, CHANGED);
  const bodies = BODY.flatMap((key) => (typeof value[key] === 'string' ? [value[key]] : []));
  const body = bodies.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  const slug = textAt(value, SLUG);
  if (title === '' || date === null || (body === '' && slug === null)) return null;
  const link = slug === null ? null : addressOf(page, slug);
  const options = { address: link ?? page.base };
  return entry({
    title,
    content: toMarkdown(body, options),
    version: textAt(value, VERSION) ?? versionOfTitle(title, page.names),
    date,
    dateFromUpdated: published === null,
    link,
    media: bodyMedia(body, options),
  });
}

function dateAt(page: PageDocument, node: PageJson, keys: readonly string[]): DateReading | null {
  const text = textAt(node, keys);
  return text === null ? null : readDate(text, { ...page.dates, relative: false });
}

// A bare slug lies below the page.
function addressOf(page: PageDocument, slug: string): string | null {
  if (/^(?:https?:)?\//i.test(slug)) return absoluteUrl(slug, page.base);
  const { origin, pathname } = new URL(page.address);
  return absoluteUrl(`${origin}${pathname.replace(/\/+$/, '')}/${slug}`, null);
}
