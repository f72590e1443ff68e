import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';

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
