// What is read from the body of a release: its sections and entries. Ranges are offsets into the body, so that
// `content.slice(start, end)` is the text as published.
import type { TextRange } from '../markdown/offsets.ts';

export type NoteClass =
  | 'breaking'
  | 'removed'
  | 'deprecated'
  | 'security'
  | 'features'
  | 'enhancements'
  | 'bugs'
  | 'migration'
  | 'other';

export type BreakingVerdict = 'unknown' | 'none' | 'minor' | 'major';
export type Importance = 1 | 2 | 3 | 4 | 5 | null;
export type Composition = { bugs: number; features: number; enhancements: number };

// The whole lines, with list markers, of the entry or paragraph that a text belongs to, for literal quotes.
export type Lines = { lineStart: number; lineEnd: number };

export type NoteSection = TextRange & {
  title: string;
  level: number;
  class: NoteClass | null;
  // The section lists contributors, downloads or checksums, so that nothing in it is read.
  skipped: boolean;
  // The section holds something, even if it is only a code block.
  filled: boolean;
};

export type NoteItem = TextRange &
  Lines & {
    // The cleaned text that readers see.
    text: string;
    // The cleaned text with its code spans between CODE_OPEN and CODE_CLOSE.
    marked: string;
    codeSpans: string[];
    class: NoteClass | null;
    // The class by the item's own prefix, marker or verb, whatever its section is.
    own: NoteClass | null;
    // The label or type that the item is written with: `fix`, `dev deps`, `docs`.
    label: string | null;
    section: NoteSection | null;
    // Whether it is a list item; in a body without lists the sentences are the items.
    listed: boolean;
    // The text would fit any release ("Bug fixes and performance improvements").
    boilerplate: boolean;
  };

// Text that is no item but may still announce a breaking change: nested entries, paragraphs beside a list, table rows.
export type NoteAside = TextRange & Lines & { section: NoteSection | null; parent: NoteItem | null };

export type NoteBody = {
  content: string;
  items: NoteItem[];
  asides: NoteAside[];
  sections: NoteSection[];
  // The paragraphs before the first list item.
  lead: TextRange[];
};
