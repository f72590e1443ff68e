// (f) An index: dated links to pages below this one. Their texts are read from those pages.
import { type Element, isTag, type ParentNode } from 'domhandler';
import { type DateReading, findDate, readDate } from '../../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../../domain/html/addresses.ts';
import { elementsOf, isRemoved } from '../../../../domain/html/elements.ts';
import { elementDate } from '../element-date.ts';
import { entry, lettersIn, type PageEntry, versionOfTitle } from '../entry.ts';
import { leadText, shortText } from '../nodes.ts';
import type { PageDocument } from '../page-document.ts';
import { findTitle } from '../read-element.ts';

const MAX_LINKS = 500;
const LEVELS_UP = 4;
const MAX_TITLE = 300;
const DATE_LETTERS = 16;
const PATH_DATE = /\/((?:19|20)\d{2})[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)/;

export function parseIndexList(page: PageDocument): PageEntry[] {
  const links = linksBelow(page);
  const found: PageEntry[] = [];
  for (const [target, link] of links) {
    const box = boxOf(page, link, target);
    const date = dateOf(page, box, target);
    const title = date && titleOf(page, box, link);
    if (!title) continue;
    found.push(
      entry({
        title,
        version: versionOfTitle(title, page.names),
        date,
        link: target,
        // The teaser is not part of the entry, so its letters do not count as covered.
        letters: Math.min(lettersIn(leadText([box], 2_000)), lettersIn(title) + DATE_LETTERS),
        awaitsBody: true,
      }),
    );
  }
  return found;
}

// The first link with text to each page; an image link may come before it.
function linksBelow(page: PageDocument): Map<string, Element> {
  const found = new Map<string, Element>();
  for (const element of elementsOf(page.main, isRemoved)) {
    if (element.name !== 'a') continue;
    const target = targetBelow(page, element);
    if (target !== null && !found.has(target) && shortText(element, 2_000) !== null) found.set(target, element);
    if (found.size >= MAX_LINKS) break;
  }
  return found;
}

function targetBelow(page: PageDocument, { attribs }: Element): string | null {
  const href = absoluteUrl(attribs.href, page.base);
  const target = href === null ? null : URL.parse(href);
  const own = URL.parse(page.address);
  if (!target || !own || target.host !== own.host) return null;
  target.hash = '';
  const folder = `${own.pathname.replace(/\/(?:index\.html?)?$/, '')}/`;
  return target.pathname.startsWith(folder) && target.pathname.length > folder.length ? target.href : null;
}

// The largest element around a link that leads to no other entry.
function boxOf(page: PageDocument, link: Element, target: string): Element {
  let box = link;
  for (let level = 0; level < LEVELS_UP; level += 1) {
    const up: ParentNode | null = box.parent;
    if (!up || !isTag(up) || leadsElsewhere(page, up, target)) break;
    box = up;
  }
  return box;
}

function leadsElsewhere(page: PageDocument, element: Element, target: string): boolean {
  if (element.name === 'main' || element.name === 'body') return true;
  for (const inner of elementsOf(element.children, isRemoved)) {
    if (inner.name !== 'a') continue;
    const other = targetBelow(page, inner);
    if (other !== null && other !== target) return true;
  }
  return false;
}

function dateOf(page: PageDocument, box: Element, target: string): DateReading | null {
  const stated = elementDate(page, box);
  if (stated) return stated.reading;
  const [, year, month, day] = PATH_DATE.exec(URL.parse(target)?.pathname ?? '') ?? [];
  return year === undefined
    ? null
    : readDate(`${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`, page.dates);
}

function titleOf(page: PageDocument, box: Element, link: Element): string | null {
  const heading = findTitle(page, box);
  const text = shortText(heading ?? link, MAX_TITLE) ?? shortText(link, MAX_TITLE);
  if (text === null) return null;
  const found = findDate(text, page.dates);
  const rest = found ? `${text.slice(0, found.start)} ${text.slice(found.end)}` : text;
  const title = rest.replace(/\s+/g, ' ').replace(/^[\s\-–—:|,·•()[\]]+|[\s\-–—:|,·•([]+$/g, '');
  return title === '' ? text : title;
}
