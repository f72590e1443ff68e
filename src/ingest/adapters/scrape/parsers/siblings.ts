// (c) Repeated siblings: three or more elements of one tag and class signature, each with a heading or link and a date.
import { type ChildNode, Element, isTag } from 'domhandler';
import { findDate } from '../../../../domain/dates/index.ts';
import { elementsOf, isBlockName, isRemoved } from '../../../../domain/html/elements.ts';
import { elementDate, wholeDate } from '../element-date.ts';
import type { PageEntry } from '../entry.ts';
import { copyWithout, leadText, shortText } from '../nodes.ts';
import type { PageDocument } from '../page-document.ts';
import { findTitle, readElement } from '../read-element.ts';
import { scoreEntries } from '../score.ts';

const MIN_MEMBERS = 3;
const HEADING = /^h[1-6]$/;
const MAX_GROUPS = 20;
const MAX_MEMBERS = 500;
// Classes that mark a position in the list or a state, not the kind of the element.
const POSITION_CLASS = /\d|^(?:first|last|odd|even|active|current|selected|open|new|latest|featured|pinned)$|--/i;

export function parseSiblings(page: PageDocument): PageEntry[] {
  let best: PageEntry[] = [];
  let bestScore = -1;
  for (const group of groupsOf(page)) {
    const members = group.filter((element) => elementDate(page, element) !== null && findTitle(page, element) !== null);
    // A few elements that are no entries are tolerated; a list with too many of them is none.
    if (members.length < MIN_MEMBERS || members.length < group.length * 0.6) continue;
    const entries = members.flatMap((element) => readElement(page, element) ?? []);
    const score = scoreEntries(page, entries);
    if (score > bestScore) [best, bestScore] = [entries, score];
  }
  return best;
}

function groupsOf(page: PageDocument): Element[][] {
  const groups = new Map<unknown, Map<string, Element[]>>();
  for (const element of elementsOf(page.main, isRemoved)) {
    if (!isBlockName(element.name) && element.name !== 'a') continue;
    const parent = element.parent && isTag(element.parent) ? element.parent : null;
    const ofParent = groups.get(parent) ?? new Map<string, Element[]>();
    groups.set(parent, ofParent);
    const signature = signatureOf(element);
    const group = ofParent.get(signature) ?? [];
    ofParent.set(signature, group);
    if (group.length < MAX_MEMBERS) group.push(element);
  }
  const repeated = [...groups.values()].flatMap((ofParent) => [...ofParent.values()]);
  return repeated
    .filter((group) => group.length >= MIN_MEMBERS)
    .map((group) => (HEADING.test(group[0]?.name ?? '') ? flatSections(page, group) : group))
    .map((group) => ({ group, size: leadText(group, 2_000).length }))
    .sort((a, b) => b.size - a.size)
    .slice(0, MAX_GROUPS)
    .map(({ group }) => group);
}

function signatureOf({ name, attribs }: Element): string {
  const classes = (attribs.class ?? '').split(/\s+/).filter((word) => word !== '' && !POSITION_CLASS.test(word));
  return `${name}.${classes.sort().join('.')}`;
}

// Entries that stand side by side without boxes: a heading, its date above or below it, then the text.

const MAX_HEADING = 300;

// The sections that sibling headings open; none when headings state their dates themselves or have none beside them.
function flatSections(page: PageDocument, headings: readonly Element[]): Element[] {
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
