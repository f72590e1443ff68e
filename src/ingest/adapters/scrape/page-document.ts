// A page, read once for all parsers: its tree, its main content, and how it writes dates.
import { type ChildNode, type Element, isTag } from 'domhandler';
import { type DateContext, documentDayFirst } from '../../../domain/dates/index.ts';
import { documentBase } from '../../../domain/html/addresses.ts';
import { elementsOf, findElement, isRemoved, rawText, tagName } from '../../../domain/html/elements.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { lettersIn } from './entry.ts';
import { copyWithout, leadText } from './nodes.ts';

export interface PageOptions {
  // Where the page was found, after redirects.
  address: string;
  names: readonly string[];
  now: Date;
}

export interface PageDocument extends PageOptions {
  nodes: readonly ChildNode[];
  // What relative addresses refer to.
  base: string;
  // The main content, without what frames every page of the site.
  main: readonly ChildNode[];
  mainLetters: number;
  // Visible text as a share of the whole document.
  visibleShare: number;
  dates: DateContext;
}

const MAIN_SHARE = 0.25;
const MAX_TEXT = 200_000;
const FRAME_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search']);
const OWNS_HEADER = new Set(['article', 'main', 'section', 'li']);

export function readPageDocument(html: string, options: PageOptions): PageDocument {
  const { children: nodes } = parseHtml(html);
  const visible = rawText(nodes).replace(/\s+/g, ' ').trim();
  const main = mainContent(nodes, lettersIn(visible));
  return {
    ...options,
    nodes,
    base: documentBase(nodes, { address: options.address }) ?? options.address,
    main,
    mainLetters: lettersIn(rawText(main)),
    visibleShare: html.length === 0 ? 0 : visible.length / html.length,
    dates: { now: options.now, relative: true, dayFirst: documentDayFirst([leadText(main, MAX_TEXT)]) },
  };
}

function mainContent(nodes: readonly ChildNode[], letters: number): readonly ChildNode[] {
  for (const element of elementsOf(nodes, isRemoved)) {
    if (tagName(element) !== 'main' && element.attribs.role !== 'main') continue;
    // A `main` element counts only when it holds enough of the text.
    if (lettersIn(rawText([element])) >= letters * MAIN_SHARE) return [element];
  }
  const body = findElement(nodes, (element) => tagName(element) === 'body');
  return copyWithout(body ? body.children : nodes, isFrame);
}

function isFrame(element: Element): boolean {
  const name = tagName(element);
  if (name === 'aside' || FRAME_ROLES.has(element.attribs.role ?? '')) return true;
  return name === 'header' && !hasAncestor(element, OWNS_HEADER);
}

function hasAncestor(element: Element, names: ReadonlySet<string>): boolean {
  for (let up = element.parent; up && isTag(up); up = up.parent) if (names.has(tagName(up))) return true;
  return false;
}
