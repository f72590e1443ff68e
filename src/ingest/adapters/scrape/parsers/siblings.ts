// (c) Repeated siblings: three or more elements of one tag and class signature, each with a heading or link and a date.
import { type Element, isTag } from 'domhandler';
import { elementsOf, isBlockName, isRemoved } from '../../../../domain/html/elements.ts';
import { elementDate } from '../element-date.ts';
import type { PageEntry } from '../entry.ts';
import { flatSections } from '../flat-sections.ts';
import { leadText } from '../nodes.ts';
import type { PageDocument } from '../page-document.ts';
import { findTitle, readElement } from '../read-element.ts';
import { scoreEntries } from '../score.ts';

const LEAST = 3;
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
    if (members.length < LEAST || members.length < group.length * 0.6) continue;
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
    .filter((group) => group.length >= LEAST)
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
