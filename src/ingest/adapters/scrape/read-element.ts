// One element of a page as an entry: title, date, address and the rest as its body.
import { type Element, isTag } from 'domhandler';
import { readDate } from '../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { elementsOf, isRemoved } from '../../../domain/html/elements.ts';
import { mediaOfNodes } from '../../../domain/html/media.ts';
import { htmlToMarkdown } from '../../../domain/html/to-markdown.ts';
import { elementDate } from './element-date.ts';
import { entry, type PageEntry, versionOfTitle } from './entry.ts';
import { copyWithout, shortText } from './nodes.ts';
import type { PageDocument } from './page-document.ts';

const HEADING = /^h[1-6]$/;
const MAX_TITLE = 300;
const MAX_PARTS = 1_000;
const TITLE_PROPS = /\b(?:headline|name)\b/;

export function readElement(page: PageDocument, element: Element): PageEntry | null {
  const titleElement = findTitle(page, element);
  if (titleElement === null) return null;
  const date = elementDate(page, element);
  const title = shortText(titleElement, MAX_TITLE) ?? '';
  const left = new Set([titleElement, ...(date?.element ? [date.element] : [])]);
  const rest = copyWithout(element.children, (part) => left.has(part));
  const options = { address: page.base };
  return entry({
    title,
    content: htmlToMarkdown(rest, options),
    version: versionOfTitle(title, page.names),
    date: date?.reading ?? null,
    link: ownLink(page, element, titleElement, date?.element ?? null),
    elementId: idOf(element) ?? idOf(titleElement) ?? anchorIn(titleElement),
    media: mediaOfNodes(rest, options),
  });
}

// The first heading that says more than a date, else the first link with words, else a heading that is a date.
export function findTitle(page: PageDocument, element: Element): Element | null {
  let dated: Element | null = null;
  let link: Element | null = null;
  for (const part of elementsOf([element], isRemoved).take(MAX_PARTS)) {
    const isHeading = HEADING.test(part.name) || (part !== element && TITLE_PROPS.test(part.attribs.itemprop ?? ''));
    if (!isHeading && (part.name !== 'a' || link !== null || part === element)) continue;
    const text = shortText(part, MAX_TITLE);
    if (text === null) continue;
    const isDate = readDate(text, page.dates) !== null;
    if (isHeading && !isDate) return part;
    if (isHeading) dated ??= part;
    else if (!isDate && /\p{L}{3}/u.test(text)) link = part;
  }
  return dated ?? link;
}

// A link that the title or the date is part of, or that is part of them; any other leads elsewhere.
function ownLink(page: PageDocument, element: Element, title: Element, date: Element | null): string | null {
  for (const part of date ? [title, date] : [title]) {
    for (const inner of elementsOf([part])) {
      if (inner.name === 'a' && inner.attribs.href) return absoluteUrl(inner.attribs.href, page.base);
    }
    for (let up = part.parent; up && isTag(up); up = up.parent) {
      if (up.name === 'a' && up.attribs.href) return absoluteUrl(up.attribs.href, page.base);
      if (up === element) break;
    }
  }
  return null;
}

export function idOf({ attribs }: Element): string | null {
  const id = attribs.id?.trim();
  return id && !/\s/.test(id) ? id : null;
}

const ANCHOR_PARTS = 50;

// The fragment of an anchor inside a heading, as generators of pages put there.
export function anchorIn(heading: Element): string | null {
  // An unclosed heading may hold the rest of the page.
  for (const part of elementsOf([heading]).take(ANCHOR_PARTS)) {
    if (part === heading) continue;
    const id = idOf(part) ?? (part.name === 'a' && part.attribs.name ? part.attribs.name : null);
    if (id) return id;
    if (part.name === 'a' && /^#[^\s]+$/.test(part.attribs.href ?? '')) return part.attribs.href?.slice(1) ?? null;
  }
  return null;
}
