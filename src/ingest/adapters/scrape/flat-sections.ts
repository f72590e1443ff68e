// Entries that stand side by side without boxes: a heading, its date above or below it, then the text.
import { type ChildNode, Element, isTag } from 'domhandler';
import { findDate } from '../../../domain/dates/index.ts';
import { wholeDate } from './element-date.ts';
import { copyWithout, shortText } from './nodes.ts';
import type { PageDocument } from './page-document.ts';

const MAX_HEADING = 300;

// The sections that sibling headings open; none when headings state their dates themselves or have none beside them.
export function flatSections(page: PageDocument, headings: readonly Element[]): Element[] {
  const parent = headings[0]?.parent;
  if (!parent) return [];
  const positions = new Map(parent.children.map((child, at) => [child, at]));
  const sections: { start: number; isDated: boolean }[] = [];
  for (const heading of headings) {
    const at = positions.get(heading) ?? 0;
    const text = shortText(heading, MAX_HEADING);
    const hasOwnDate = text === null || findDate(text, page.dates) !== null;
    const above = neighbour(parent.children, at, -1);
    const isBelow = isDate(page, parent.children[neighbour(parent.children, at, 1) ?? -1]);
    const isAbove = !isBelow && above !== null && isDate(page, parent.children[above]);
    sections.push({ start: isAbove ? above : at, isDated: !hasOwnDate && (isAbove || isBelow) });
  }
  return sections.flatMap(({ start, isDated }, index) => {
    const end = sections[index + 1]?.start ?? parent.children.length;
    return isDated ? [sectionOf(parent.children.slice(start, end))] : [];
  });
}

function neighbour(children: readonly ChildNode[], from: number, step: 1 | -1): number | null {
  for (let at = from + step; at >= 0 && at < children.length; at += step)
    if (isTag(children[at] as ChildNode)) return at;
  return null;
}

function isDate(page: PageDocument, node: ChildNode | undefined): boolean {
  return node !== undefined && isTag(node) && wholeDate(page, node) !== null;
}

function sectionOf(nodes: readonly ChildNode[]): Element {
  const children = copyWithout(nodes, () => false);
  const section = new Element('section', {}, children);
  for (const child of children) child.parent = section;
  return section;
}
