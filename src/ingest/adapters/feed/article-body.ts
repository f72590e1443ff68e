// The text of an article on its page: what the page says itself, else its article element, else its densest block.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { elementsOf, findElement, isRemoved, rawText, tagName } from '../../../domain/html/elements.ts';
import { type Media, mediaOfNodes } from '../../../domain/html/media.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { htmlToMarkdown, toMarkdown } from '../../../domain/html/to-markdown.ts';

export interface ArticleText {
  content: string;
  // Null: the text came without its markup.
  media: Media[] | null;
}

const LEAST = 200;
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
    if (body !== null && body.trim().length >= LEAST) return body;
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

// Lists of related posts are articles too; the one that is meant has the most to say.
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
  return longest && longest.length >= LEAST ? longest.element : null;
}

// The element whose own paragraphs hold most text; links count against it.
function densestBlock(nodes: readonly ChildNode[]): Element | null {
  const weights = new Map<Element, number>();
  for (const element of elementsOf(nodes, isRemoved)) {
    if (!PROSE.has(tagName(element))) continue;
    const parent = holderOf(element);
    const weight = ownText(element.children) - 2 * linkText(element.children);
    if (parent && weight > 0) weights.set(parent, (weights.get(parent) ?? 0) + weight);
  }
  let best: Element | null = null;
  for (const [element, weight] of weights) if (weight > (best ? (weights.get(best) ?? 0) : LEAST - 1)) best = element;
  return best;
}

// A list or table is part of the text around it.
function holderOf(element: Element): Element | null {
  let up = element.parent;
  while (up && isTag(up) && ['ul', 'ol', 'table', 'tbody', 'tr', 'td', 'blockquote', 'li'].includes(tagName(up)))
    up = up.parent;
  return up && isTag(up) ? up : null;
}

function ownText(nodes: readonly ChildNode[]): number {
  return nodes.reduce((sum, node) => {
    if (isText(node)) return sum + node.data.trim().length;
    // Nested prose has its own turn.
    return isTag(node) && !PROSE.has(tagName(node)) && !isRemoved(node) ? sum + rawText(node.children).length : sum;
  }, 0);
}

function linkText(nodes: readonly ChildNode[]): number {
  let sum = 0;
  for (const element of elementsOf(nodes, isRemoved))
    if (tagName(element) === 'a') sum += rawText(element.children).length;
  return sum;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
