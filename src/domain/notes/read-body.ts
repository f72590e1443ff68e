import type { TextRange } from '../markdown/offsets.ts';
import type { NoteBlock } from './block-list.ts';
import { scanBlocks } from './blocks.ts';
import { isBoilerplate, isReleaseLine, isThanks } from './boilerplate.ts';
import { readMark } from './classify.ts';
import { tidyInline, withoutClosingPeriod } from './clean-item.ts';
import { codeSpansOf, unmark } from './code-marks.ts';
import { saysNothing } from './evidence.ts';
import { classOfName, readHeading } from './headings.ts';
import { inline } from './inline.ts';
import { sentenceSpans } from './sentences.ts';
import type { Lines, NoteAside, NoteBody, NoteItem, NoteSection } from './types.ts';
import { verbClass } from './verbs.ts';

// The entries of a release body with class and section; a body without list has its sentences as entries.
export function readBody(content: string): NoteBody {
  const reader = new BodyReader(content);
  for (const block of scanBlocks(content)) reader.take(block);
  return reader.finish();
}

// The shown text of an entry, from the text as published.
export function cleanItem(raw: string): string {
  const marked = tidyInline(raw);
  return shownText(marked.slice(readMark(marked).length));
}

function shownText(marked: string): string {
  return withoutClosingPeriod(unmark(marked).trim());
}

type OpenEntry = { indent: number; item: NoteItem | null; label: boolean; section: NoteSection | null };
type Paragraph = TextRange & Lines & { section: NoteSection | null };

class BodyReader {
  private readonly content: string;
  private readonly items: NoteItem[] = [];
  private readonly dropped = new Set<NoteItem>();
  private readonly asides: NoteAside[] = [];
  private readonly sections: NoteSection[] = [];
  private readonly open: (NoteSection & { umbrella: boolean })[] = [];
  private readonly paragraphs: Paragraph[] = [];
  private entries: OpenEntry[] = [];
  private leadCount: number | null = null;

  constructor(content: string) {
    this.content = content;
  }

  take(block: NoteBlock): void {
    if (block.kind === 'heading') this.heading(block);
    else if (block.kind === 'close') this.closeSections(block.level, block.start);
    else this.below(block, this.open.at(-1) ?? null);
  }

  private below(block: NoteBlock, section: NoteSection | null): void {
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
        const item = this.item(span, paragraph, paragraph.section, false);
        return item ? [item] : [];
      }),
    );
    return { content, items, asides, sections, lead };
  }

  private heading(block: NoteBlock): void {
    this.closeSections(block.level, block.lineStart);
    this.entries = [];
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

  // "Breaking change" above "N/A": the headings that follow have nothing to do with it.
  private isDenied({ class: kind, start }: NoteSection): boolean {
    if (kind !== 'breaking') return false;
    const [first = ''] = this.content
      .slice(start, start + 200)
      .trimStart()
      .split('\n');
    return saysNothing(first.replace(/^[-*+_]{1,3} ?/, ''));
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
    if (parent?.item) this.asLabel(parent.item, parent.section);
    const labelled = parent?.section ?? section;
    const item = this.item(block, spanOf(block), labelled, true);
    const label = isLabel(this.content.slice(block.start, block.end));
    entries.push({ indent: block.indent, item, label, section: label ? this.labelSection(block, labelled) : section });
    if (!item) return;
    this.items.push(item);
    this.leadCount ??= this.paragraphs.length;
  }

  // What names the entries below it is no entry; "The following options were removed:" still tells of a break.
  private asLabel(item: NoteItem, sectionBelow: NoteSection | null): void {
    if (this.dropped.has(item)) return;
    this.dropped.add(item);
    const { start, end, lineStart, lineEnd, section } = item;
    if (sectionBelow === section) this.asides.push({ start, end, lineStart, lineEnd, section, parent: null });
  }

  // "Fixed:" above nested entries works as their heading.
  private labelSection(block: NoteBlock, section: NoteSection | null): NoteSection | null {
    const raw = this.content.slice(block.start, Math.min(block.end, block.start + 200));
    const title = unmark(inline(raw));
    const own = readHeading(raw, title).class;
    if (own === null) return section;
    return { title, level: block.level, class: own, skipped: false, filled: true, start: block.start, end: block.end };
  }

  private paragraph(block: NoteBlock, section: NoteSection | null): void {
    const parent = block.indent >= 2 ? this.entries.at(-1)?.item : undefined;
    if (parent) this.asides.push({ ...spanOf(block), section, parent });
    else this.paragraphs.push({ ...spanOf(block), section });
    if (block.indent < 2) this.entries = [];
  }

  private item(
    span: TextRange,
    { lineStart, lineEnd }: Lines,
    section: NoteSection | null,
    listed: boolean,
  ): NoteItem | null {
    const raw = this.content.slice(span.start, span.end);
    const tidy = tidyInline(raw);
    const mark = readMark(tidy, raw);
    const marked = tidy.slice(mark.length).trim();
    const text = shownText(marked);
    if (!text) return null;
    const boilerplate = isBoilerplate(text) || isReleaseLine(text) || isThanks(raw, text);
    const verb = verbClass(marked);
    const sectionClass = section?.class ?? null;
    // "Bug fixes and improvements" does not become a feature by standing below "What's new".
    const inherited = boilerplate && sectionClass === 'features' ? null : sectionClass;
    return {
      start: span.start,
      end: span.end,
      lineStart,
      lineEnd,
      text,
      marked,
      codeSpans: codeSpansOf(marked),
      class: mark.class ?? inherited ?? verb,
      own: mark.own ?? verb,
      label: mark.label,
      section,
      listed,
      boilerplate,
    };
  }
}

// "Fixed:", "**Editor**" or "New features" names the entries below it; "Updated dependencies:" says all itself.
function isLabel(raw: string): boolean {
  const named = raw.length <= 60 ? classOfName(raw) : null;
  if (named) return named !== 'other';
  return /:[*_]{0,3}$/.test(raw.slice(-4)) || (raw.length <= 60 && /^(?:\*\*|__)[^*_]+(?:\*\*|__)$/.test(raw));
}

function spanOf({ start, end, lineStart }: NoteBlock): TextRange & Lines {
  return { start, end, lineStart, lineEnd: end };
}
