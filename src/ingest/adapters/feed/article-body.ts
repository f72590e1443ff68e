// The text of an article on its page: what the page says itself, else its article element, else its densest block.

import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { elementsOf, findElement, isRemoved, rawText, tagName } from '../../../domain/html/elements.ts';
import { bodyMedia, type Media, mediaOfNodes } from '../../../domain/html/media.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { htmlToMarkdown, toMarkdown } from '../../../domain/html/to-markdown.ts';
import { threadTask } from '../../../threads/task.ts';

export interface Article {
  content: string;
  media: Media[];
}

interface ArticleText {
  content: string;
  // Null when the text came without its markup.
  media: Media[] | null;
}

const MIN_LENGTH = 200;
const PROSE = new Set(['p', 'li', 'pre', 'h2', 'h3', 'h4', 'blockquote', 'td']);

export function articleBody(html: string, pageUrl: string): ArticleText | null {
  const { children } = parseHtml(html);
  const stated = statedBody(children);
  if (stated !== null) return { content: toMarkdown(stated, { address: pageUrl }), media: null };
  const element = longestArticle(children) ?? densestBlock(children);
  if (element === null) return null;
  const base = findElement(children, (one) => tagName(one) === 'base')?.attribs.href;
  const options = { address: URL.parse(base ?? '', pageUrl)?.href ?? pageUrl };
  return { content: htmlToMarkdown(element.children, options), media: mediaOfNodes(element.children, options) };
}

function statedBody(nodes: readonly ChildNode[]): string | null {
  for (const element of elementsOf(nodes)) {
    if (tagName(element) !== 'script' || !/ld\+json/i.test(element.attribs.type ?? '')) continue;
    const body = bodyIn(parsed(rawText(element.children)), 0);
    if (body !== null && body.trim().length >= MIN_LENGTH) return body;
  }
  return null;
}

function bodyIn(value: unknown, depth: number): string | null {
  if (value === null || typeof value !== 'object' || depth > 4) return null;
  if (!Array.isArray(value) && 'articleBody' in value && typeof value.articleBody === 'string')
    return value.articleBody;
  const inner = Array.isArray(value) ? value : Object.values(value).filter((one) => typeof one === 'object');
  for (const one of inner.slice(0, 200)) {
    const body = bodyIn(one, depth + 1);
    if (body !== null) return body;
  }
  return null;
}

// Lists of related posts are `article` elements too, so the longest one is taken.
function longestArticle(nodes: readonly ChildNode[]): Element | null {
  const articles = elementsOf(nodes, isRemoved)
    .filter((element) => tagName(element) === 'article')
    .take(50)
    .map((element) => ({ element, length: rawText(element.children).trim().length }))
    .toArray();
  const longest = articles.reduce<(typeof articles)[number] | null>(
    (best, one) => (best === null || one.length > best.length ? one : best),
    null,
  );
  return longest && longest.length >= MIN_LENGTH ? longest.element : null;
}

// The element whose own paragraphs hold most text, less the text of links. One walk counts every text once.
function densestBlock(nodes: readonly ChildNode[]): Element | null {
  const weights = new Map<Element, number>();
  const walk = (node: ChildNode, position: WalkPosition): void => {
    if (isText(node)) {
      const { credited, inLink } = position;
      const weight = node.data.trim().length * (inLink ? -1 : 1);
      if (credited) weights.set(credited, (weights.get(credited) ?? 0) + weight);
    } else if (isTag(node) && !isRemoved(node)) {
      const inside = positionInside(node, position);
      for (const child of node.children) walk(child, inside);
    }
  };
  for (const node of nodes) walk(node, { block: null, credited: null, inLink: false });
  let best: Element | null = null;
  for (const [element, weight] of weights)
    if (weight > (best ? (weights.get(best) ?? 0) : MIN_LENGTH - 1)) best = element;
  return best;
}

interface WalkPosition {
  // The innermost block that paragraphs may stand in.
  block: Element | null;
  // The block of the innermost paragraph, which its text counts for.
  credited: Element | null;
  inLink: boolean;
}

// Lists and tables count as part of the text around them.
const TRANSPARENT = new Set(['ul', 'ol', 'table', 'tbody', 'tr', 'td', 'blockquote', 'li']);

function positionInside(element: Element, { block, credited, inLink }: WalkPosition): WalkPosition {
  const name = tagName(element);
  if (PROSE.has(name)) return { block, credited: block, inLink };
  return { block: TRANSPARENT.has(name) ? block : element, credited, inLink: inLink || name === 'a' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The images of the text are used when the page states none.
export function readArticlePage({ html, pageUrl }: { html: string; pageUrl: string }): Article | null {
  const found = articleBody(html, pageUrl);
  return found && { content: found.content, media: found.media ?? bodyMedia(found.content) };
}

export const ARTICLE_READING = threadTask(import.meta.url, readArticlePage);
