// (d) The headings of the main content, read like those of a changelog file.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { parseChangelog } from '../../../../domain/changelog/entries.ts';
import type { ChangelogEntry } from '../../../../domain/changelog/types.ts';
import { elementsOf, isRemoved } from '../../../../domain/html/elements.ts';
import { bodyMedia } from '../../../../domain/html/media.ts';
import { htmlToMarkdown } from '../../../../domain/html/to-markdown.ts';
import { entry, type PageEntry } from '../entry.ts';
import { leadText } from '../nodes.ts';
import type { PageDocument } from '../page-document.ts';
import { anchorIn, idOf } from '../read-element.ts';

const HEADING = /^h[1-6]$/;
const HOLDS_ONE = new Set(['section', 'article', 'li', 'div']);

export function parseHeadings(page: PageDocument): PageEntry[] {
  const markdown = htmlToMarkdown(page.main, { address: page.base });
  const entries = parseChangelog(markdown, { names: page.names, now: page.now, format: 'markdown' });
  const anchors = headingAnchors(page);
  return entries.map((found) => changelogEntry(found, anchors(found.heading)));
}

export function changelogEntry(found: ChangelogEntry, elementId: string | null): PageEntry {
  const { version, packagePart, title, heading, body, date, yanked } = found;
  return entry({
    title: title || heading,
    content: body,
    version: version !== null && packagePart !== null ? `${packagePart}@${version}` : version,
    date,
    elementId,
    media: bodyMedia(body),
    ...(yanked ? { suppressedReason: 'yanked' } : {}),
  });
}

// Entries come in page order, so each heading is searched for within this distance behind the last one.
const LOOKED_AHEAD = 50;
const HEADING_CHARS = 1_000;

function headingAnchors(page: PageDocument): (heading: string) => string | null {
  const headings: { text: string; id: string | null }[] = [];
  const siblings = new HeadingCounts();
  for (const element of elementsOf(page.main, isRemoved)) {
    if (!HEADING.test(element.name)) continue;
    const id = idOf(element) ?? anchorIn(element) ?? idAround(element, siblings);
    headings.push({ text: plain(leadText([element], HEADING_CHARS)), id });
  }
  let next = 0;
  return (heading) => {
    const wanted = plain(heading.slice(0, HEADING_CHARS));
    if (wanted === '') return null;
    const ahead = headings.slice(next, next + LOOKED_AHEAD);
    const found = ahead.findIndex(({ text }) => text.includes(wanted));
    if (found < 0) return null;
    next += found + 1;
    return ahead[found]?.id ?? null;
  };
}

// The id of the section around a heading; an element around several headings names none of them.
function idAround(heading: Element, siblings: HeadingCounts): string | null {
  const { parent } = heading;
  if (!parent || !isTag(parent) || !HOLDS_ONE.has(parent.name)) return null;
  return siblings.count(parent, heading.name) === 1 ? idOf(parent) : null;
}

// Counts headings by level inside elements; the count of an element is cached, so that it is computed once.
class HeadingCounts {
  readonly #counts = new Map<Element, Map<string, number>>();

  count(box: Element, name: string): number {
    let counts = this.#counts.get(box);
    if (!counts) {
      counts = new Map();
      for (const child of box.children) if (isTag(child)) counts.set(child.name, (counts.get(child.name) ?? 0) + 1);
      this.#counts.set(box, counts);
    }
    return counts.get(name) ?? 0;
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
