// (b) Microdata and `article` elements that carry their date.
import { type Element, isTag } from 'domhandler';
import { elementsOf, isRemoved } from '../../../../domain/html/elements.ts';
import { holdsTime } from '../element-date.ts';
import type { PageEntry } from '../entry.ts';
import type { PageDocument } from '../page-document.ts';
import { readElement } from '../read-element.ts';

const ITEM_TYPE = /\/(?:\w*article|blogposting|newsarticle|softwareapplication)$/i;
const MAX_ARTICLES = 500;

export function parseArticles(page: PageDocument): PageEntry[] {
  const found: Element[] = [];
  const inside = new Set<Element>();
  for (const element of elementsOf(page.main, isRemoved)) {
    const nested = element.parent !== null && isTag(element.parent) && inside.has(element.parent);
    if (nested) inside.add(element);
    if (nested || !isArticle(element) || !holdsTime(element)) continue;
    inside.add(element);
    // One article around all the others is the page, not an entry.
    if (articlesIn(element) >= 2) inside.delete(element);
    else found.push(element);
    if (found.length >= MAX_ARTICLES) break;
  }
  return found.flatMap((element) => readElement(page, element) ?? []);
}

function isArticle({ name, attribs }: Element): boolean {
  return name === 'article' || attribs.role === 'article' || ITEM_TYPE.test(attribs.itemtype?.trim() ?? '');
}

function articlesIn(element: Element): number {
  let count = 0;
  for (const inner of elementsOf(element.children, isRemoved)) {
    if (isArticle(inner) && holdsTime(inner)) count += 1;
    if (count >= 2) break;
  }
  return count;
}
