// Elements of a parsed document: their names, which are blocks, which are removed, and walks over them.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from 'domhandler';

const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
);
// Elements without text for readers.
const REMOVED = new Set(
  `script style template nav footer form head title meta link base object embed applet canvas svg math map audio button select
  textarea option datalist dialog noframes param track`.split(/\s+/),
);
const HIDING_STYLE = /(?:^|[;\s])(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden)/i;
// Elements that are nested deeper are read as plain text, so that walks may recurse.
export const MAX_DEPTH = 256;

// The name in lower case without a namespace prefix, which XHTML inside a feed may have.
export function tagName(element: Element): string {
  const { name } = element;
  return (name.includes(':') ? name.slice(name.lastIndexOf(':') + 1) : name).toLowerCase();
}

export function isBlockName(name: string): boolean {
  return BLOCKS.has(name);
}

export function isRemoved(element: Element): boolean {
  return REMOVED.has(tagName(element)) || isHidden(element);
}

function isHidden({ attribs }: Element): boolean {
  if (attribs.hidden !== undefined && attribs.hidden.toLowerCase() !== 'until-found') return true;
  if (attribs['aria-hidden']?.trim().toLowerCase() === 'true') return true;
  return attribs.style !== undefined && HIDING_STYLE.test(attribs.style.slice(0, 1000));
}

// The inline elements that contain blocks.
export function inlineWithBlocks(nodes: readonly ChildNode[]): ReadonlySet<Element> {
  const found = new Set<Element>();
  for (const element of elementsOf(nodes)) {
    if (!BLOCKS.has(tagName(element))) continue;
    let up: ParentNode | null = element.parent;
    // The ancestors of a found element have been found already, so that each is visited once.
    while (up && isTag(up) && !BLOCKS.has(tagName(up)) && !found.has(up)) {
      found.add(up);
      up = up.parent;
    }
  }
  return found;
}

// All elements in document order; `skip` leaves out whole subtrees. There is no recursion, so that any depth is fine.
export function* elementsOf(nodes: readonly ChildNode[], skip?: (element: Element) => boolean): Generator<Element> {
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isTag(node) || skip?.(node)) continue;
    yield node;
    for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at] as ChildNode);
  }
}

// The text of nodes with its white space and line breaks; `skip` leaves out whole subtrees.
export function rawText(nodes: readonly ChildNode[], skip: (element: Element) => boolean = isRemoved): string {
  const parts: string[] = [];
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isText(node)) parts.push(node.data);
    if (!isTag(node) || skip(node)) continue;
    if (tagName(node) === 'br') parts.push('\n');
    for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at] as ChildNode);
  }
  return parts.join('');
}

export function findElement(nodes: readonly ChildNode[], matches: (element: Element) => boolean): Element | null {
  for (const element of elementsOf(nodes)) if (matches(element)) return element;
  return null;
}
