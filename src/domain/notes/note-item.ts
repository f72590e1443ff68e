// Makes an item of the text of an entry: its cleaned text, its class and its label.
import type { TextRange } from '../markdown/offsets.ts';
import { isBoilerplate, isReleaseLine, isThanks } from './boilerplate.ts';
import { readMarker } from './classify.ts';
import { tidyInline, withoutClosingPeriod } from './clean-item.ts';
import { codeSpansOf, unmark } from './code-marks.ts';
import type { Lines, NoteItem, NoteSection } from './types.ts';
import { verbClass } from './verbs.ts';

// The text of an entry as readers see it, from the text as published.
export function cleanItem(raw: string): string {
  const marked = tidyInline(raw);
  return visibleText(marked.slice(readMarker(marked).length));
}

function visibleText(marked: string): string {
  return withoutClosingPeriod(unmark(marked).trim());
}

type ItemInput = {
  range: TextRange;
  lines: Lines;
  section: NoteSection | null;
  listed: boolean;
};

// Null when nothing is left of the text.
export function createItem(content: string, { range, lines, section, listed }: ItemInput): NoteItem | null {
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
