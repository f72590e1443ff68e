// The words of a part of a page, with blanks where a reader sees a gap.
import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { isBlockName, isRemoved, tagName } from '../../../domain/html/elements.ts';
import { oneLine } from '../../../domain/html/text.ts';

// The first characters of the text, on one line; the work is bounded whatever stands in the nodes.
export function leadText(nodes: readonly ChildNode[], limit: number): string {
  let text = '';
  let visited = 0;
  const waiting: (ChildNode | ' ')[] = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visited += 1;
    if (visited > limit * 3 + 100 || text.length > limit * 2 + 200) break;
    if (node === ' ') text += ' ';
    else if (isText(node)) text += node.data;
    else if (isTag(node) && !isRemoved(node)) openElement(node, waiting);
  }
  return oneLine(text).slice(0, limit);
}

// A text that must be short: null when it is empty or longer than that.
export function shortText(element: Element, limit: number): string | null {
  const text = leadText([element], limit + 1);
  return text === '' || text.length > limit ? null : text;
}

function openElement(element: Element, waiting: (ChildNode | ' ')[]): void {
  const apart = isBlockName(tagName(element)) || tagName(element) === 'br' || tagName(element) === 'time';
  if (apart) waiting.push(' ');
  for (let at = element.children.length - 1; at >= 0; at -= 1) waiting.push(element.children[at] as ChildNode);
  if (apart) waiting.push(' ');
}

// A copy of nodes that leaves some elements out; the page itself stays as it is for the other parsers.
export function copyWithout(nodes: readonly ChildNode[], leaveOut: (element: Element) => boolean): ChildNode[] {
  const copies: ChildNode[] = [];
  for (const node of nodes) {
    if (isText(node)) copies.push(new Text(node.data));
    if (!isTag(node) || leaveOut(node)) continue;
    const children = copyWithout(node.children, leaveOut);
    const copy = new Element(node.name, { ...node.attribs }, children);
    for (const child of children) child.parent = copy;
    linkSiblings(children);
    copies.push(copy);
  }
  linkSiblings(copies);
  return copies;
}

function linkSiblings(nodes: readonly ChildNode[]): void {
  for (const [at, node] of nodes.entries()) {
    node.prev = nodes[at - 1] ?? null;
    node.next = nodes[at + 1] ?? null;
  }
}
