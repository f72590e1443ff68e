// Reads the body of a release: sections, and entries with their classes.

import { codeSpansOf, unmark } from '../clean-text.ts';
import type { TextRange } from '../markdown/offsets.ts';
import { scanBlocks } from './blocks.ts';
import { readMarker, verbClass } from './classify.ts';
import { tidyInline, visibleText } from './clean-item.ts';
import { deniesChanges } from './evidence.ts';
import { classOfName, readHeading } from './headings.ts';
import { inline } from './inline.ts';
import type { NoteBlock } from './markdown-lines.ts';
import { sentenceSpans } from './sentences.ts';
import { isBoilerplate, isReleaseLine, isThanks } from './talk.ts';
import type { Lines, NoteAside, NoteBody, NoteItem, NoteSection } from './types.ts';

// The sections and entries of a body. In a body without lists the sentences are the entries.
export function readBody(content: string): NoteBody {
  const reader = new BodyReader(content);
  for (const block of scanBlocks(content)) reader.take(block);
  return reader.finish();
}

// A list item that may have nested items; `label` is true for one that only names them.
type OpenEntry = { indent: number; item: NoteItem | null; label: boolean; section: NoteSection | null };
type Paragraph = TextRange & Lines & { section: NoteSection | null };

class BodyReader {
  private readonly content: string;
  private readonly items: NoteItem[] = [];
  // Items that turned out to be labels.
  private readonly dropped = new Set<NoteItem>();
  private readonly asides: NoteAside[] = [];
  private readonly sections: NoteSection[] = [];
  // The sections around the present block, from the outside in.
  private readonly open: (NoteSection & { umbrella: boolean })[] = [];
  private readonly paragraphs: Paragraph[] = [];
  private entries: OpenEntry[] = [];
  // The section that a sentence such as "This release fixes the following bugs:" makes of the list below it.
  private introduced: NoteSection | null = null;
  // How many paragraphs there are before the first list item.
  private leadCount: number | null = null;

  constructor(content: string) {
    this.content = content;
  }

  take(block: NoteBlock): void {
    if (block.kind === 'heading') this.heading(block);
    else if (block.kind === 'close') this.closeSections(block.level, block.start);
    else this.addToSection(block, this.open.at(-1) ?? null);
  }

  private addToSection(block: NoteBlock, section: NoteSection | null): void {
    for (const above of this.open) above.filled = true;
    if (section?.skipped) return;
    if (block.kind === 'item') this.entry(block, section);
    else if (block.kind === 'text') this.paragraph(block, section);
    else if (block.kind === 'table') this.asides.push({ ...spanOf(block), section, parent: null });
  }

  finish(): NoteBody {
    this.closeSections(0, this.content.length);
    const { content, asides, sections, paragraphs } = this;
    const lead = paragraphs.slice(0, this.leadCount ?? paragraphs.length);
    const listed = this.items.filter((item) => !this.dropped.has(item));
    if (listed.length > 0) {
      for (const paragraph of paragraphs) asides.push({ ...paragraph, parent: null });
      return { content, items: listed, asides, sections, lead };
    }
    const items = paragraphs.flatMap((paragraph) =>
      sentenceSpans(content, paragraph.start, paragraph.end).flatMap((span) => {
        const { section } = paragraph;
        const item = createItem(content, { range: span, lines: paragraph, section, listed: false });
        return item ? [item] : [];
      }),
    );
    return { content, items, asides, sections, lead };
  }

  private heading(block: NoteBlock): void {
    this.closeSections(block.level, block.lineStart);
    this.entries = [];
    this.introduced = null;
    const raw = this.content.slice(block.start, block.end);
    const title = unmark(inline(raw));
    const own = readHeading(raw, title);
    const above = this.open.at(-1);
    const inherits =
      own.class === null &&
      !own.skipped &&
      !own.version &&
      above !== undefined &&
      !above.umbrella &&
      !this.isDenied(above);
    const section = {
      title,
      level: block.level,
      class: inherits ? above.class : own.class,
      skipped: own.skipped || (inherits && above.skipped),
      umbrella: own.umbrella,
      filled: false,
      start: block.end,
      end: this.content.length,
    };
    this.sections.push(section);
    this.open.push(section);
  }

  // Whether a breaking section denies its heading ("Breaking change" above "N/A"), so that the headings below it do not
  // inherit its class.
  private isDenied({ class: kind, start }: NoteSection): boolean {
    if (kind !== 'breaking') return false;
    const [first = ''] = this.content
      .slice(start, start + 200)
      .trimStart()
      .split('\n');
    return deniesChanges(first.replace(/^[-*+_]{1,3} ?/, ''));
  }

  private closeSections(level: number, at: number): void {
    for (let top = this.open.at(-1); top && top.level >= level; top = this.open.at(-1)) {
      top.end = at;
      this.open.pop();
    }
  }

  private entry(block: NoteBlock, section: NoteSection | null): void {
    const { entries } = this;
    for (let top = entries.at(-1); top && block.indent < top.indent + 2; top = entries.at(-1)) entries.pop();
    const parent = entries.at(-1) ?? null;
    if (parent && !parent.label) {
      this.asides.push({ ...spanOf(block), section, parent: parent.item });
      entries.push({ indent: block.indent, item: parent.item, label: false, section });
      return;
    }
    if (parent?.item) this.demoteToLabel(parent.item, parent.section);
    const labelled = parent?.section ?? this.introduced ?? section;
    const item = createItem(this.content, { range: block, lines: spanOf(block), section: labelled, listed: true });
    const label = isLabel(this.content.slice(block.start, block.end));
    entries.push({ indent: block.indent, item, label, section: label ? this.labelSection(block, labelled) : section });
    if (!item) return;
    this.items.push(item);
    this.leadCount ??= this.paragraphs.length;
  }

  // A label names the entries below it and is no entry itself. Without a class of its own it is an aside, because "The
  // following options were removed:" is still evidence.
  private demoteToLabel(item: NoteItem, sectionBelow: NoteSection | null): void {
    if (this.dropped.has(item)) return;
    this.dropped.add(item);
    const { start, end, lineStart, lineEnd, section } = item;
    if (sectionBelow === section) this.asides.push({ start, end, lineStart, lineEnd, section, parent: null });
  }

  // "Fixed:" above nested entries is their heading.
  private labelSection(block: NoteBlock, section: NoteSection | null): NoteSection | null {
    const raw = this.content.slice(block.start, Math.min(block.end, block.start + 200));
    const title = unmark(inline(raw));
    const own = readHeading(raw, title).class;
    if (own === null) return section;
    return { title, level: block.level, class: own, skipped: false, filled: true, start: block.start, end: block.end };
  }

  private introducedBy({ start, end, level }: NoteBlock): NoteSection | null {
    const title = this.content.slice(Math.max(start, end - 200), end).replace(/ {1,3}\([^()]{1,60}\)$/, '');
    if (!title.endsWith(':')) return null;
    const kind = FIXES_FOLLOW.test(title) ? 'bugs' : announcesBreaks(title) ? 'breaking' : null;
    return kind && { title, level, class: kind, skipped: false, filled: true, start, end };
  }

  private paragraph(block: NoteBlock, section: NoteSection | null): void {
    const parent = block.indent >= 2 ? this.entries.at(-1)?.item : undefined;
    if (parent) this.asides.push({ ...spanOf(block), section, parent });
    else {
      this.paragraphs.push({ ...spanOf(block), section });
      this.introduced = section?.class ? null : this.introducedBy(block);
    }
    if (block.indent < 2) this.entries = [];
  }
}

// "The following issues were fixed:", "This release fixes some bugs:".
const FIXES_FOLLOW =
  /\b(?:fix|resolv|address|correct)(?:es|ed|e|s)?\b[^.]{0,60}\b(?:bug|issue|problem|regression|defect)s?\b|\b(?:bug|issue|problem|regression|defect)s?\b[^.]{0,60}\b(?:fixed|resolved|addressed|corrected)\b/i;

// "Backwards incompatible changes:" above a list, without the signs of a heading.
function announcesBreaks(title: string): boolean {
  return (
    title.length <= 60 &&
    /break|incompat/i.test(title) &&
    readHeading(title, unmark(inline(title))).class === 'breaking'
  );
}

function spanOf({ start, end, lineStart }: NoteBlock): TextRange & Lines {
  return { start, end, lineStart, lineEnd: end };
}

// Whether a text names the entries below it, as "Fixed:", "**Editor**" or "New features" do. "Updated dependencies:" is
// an entry, because its details do not matter.
function isLabel(raw: string): boolean {
  const named = raw.length <= 60 ? classOfName(raw) : null;
  if (named) return named !== 'other';
  return /:[*_]{0,3}$/.test(raw.slice(-4)) || (raw.length <= 60 && /^(?:\*\*|__)[^*_]+(?:\*\*|__)$/.test(raw));
}

// Items, made of the texts of entries: the cleaned text, its class and its label.

type ItemInput = {
  range: TextRange;
  lines: Lines;
  section: NoteSection | null;
  listed: boolean;
};

// Null when nothing is left of the text.
function createItem(content: string, { range, lines, section, listed }: ItemInput): NoteItem | null {
  const raw = content.slice(range.start, range.end);
  const tidy = tidyInline(raw);
  const marker = readMarker(tidy, raw);
  const marked = tidy.slice(marker.length).trim();
  const text = visibleText(marked);
  if (!text) return null;
  const boilerplate = isBoilerplate(text) || isReleaseLine(text) || isThanks(raw, text);
  const verb = verbClass(marked);
  const sectionClass = section?.class ?? null;
  // "Bug fixes and improvements" does not become a feature because its section is called "What's new".
  const inherited = boilerplate && sectionClass === 'features' ? null : sectionClass;
  return {
    start: range.start,
    end: range.end,
    lineStart: lines.lineStart,
    lineEnd: lines.lineEnd,
    text,
    marked,
    codeSpans: codeSpansOf(marked),
    class: marker.class ?? inherited ?? verb,
    own: marker.own ?? verb,
    label: marker.label,
    section,
    listed,
    boilerplate,
  };
}
