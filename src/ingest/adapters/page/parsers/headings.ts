// (d) The headings of the main content, read like those of a changelog file.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { type ChangelogEntry, parseChangelog } from '../../../../domain/changelog/entries.ts';
import { elementsOf, isRemoved } from '../../../../domain/html/elements.ts';
import { bodyMedia } from '../../../../domain/html/media.ts';
import { htmlToMarkdown } from '../../../../domain/html/to-markdown.ts';
import { entry, type PageEntry } from '../entry.ts';
import type { PageDocument } from '../page-document.ts';
import { anchorIn, idOf, textOfElement } from '../read-element.ts';

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

// Entries come in the order of the page, so each heading is looked for behind the last one.
function headingAnchors(page: PageDocument): (heading: string) => string | null {
  const headings: { text: string; id: string | null }[] = [];
  for (const element of elementsOf(page.main, isRemoved)) {
    if (!HEADING.test(element.name)) continue;
    headings.push({ text: plain(textOfElement(element)), id: idOf(element) ?? anchorIn(element) ?? idAround(element) });
  }
  let next = 0;
  return (heading) => {
    const wanted = plain(heading);
    const at = headings.findIndex(({ text }, index) => index >= next && text.includes(wanted));
    if (wanted === '' || at < 0) return null;
    next = at + 1;
    return headings[at]?.id ?? null;
  };
}

// The section that a heading opens; a box around several says nothing about one of them.
function idAround(heading: Element): string | null {
  const { parent } = heading;
  if (!parent || !isTag(parent) || !HOLDS_ONE.has(parent.name)) return null;
  const others = parent.children.filter((child) => isTag(child) && child.name === heading.name);
  return others.length === 1 ? idOf(parent) : null;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
