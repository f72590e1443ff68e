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

// The whole lines (markers included) of the entry or paragraph that a text belongs to, for verbatim quotes.
export type Lines = { lineStart: number; lineEnd: number };

export type NoteSection = TextRange & {
  title: string;
  level: number;
  class: NoteClass | null;
  // Contributors, downloads, checksums: nothing below is read.
  skipped: boolean;
  // Something stands below the heading, be it only a code block.
  filled: boolean;
};

export type NoteItem = TextRange &
  Lines & {
    // Cleaned text: what a reader is shown.
    text: string;
    // Cleaned text with its code spans between CODE_OPEN and CODE_CLOSE.
    marked: string;
    codeSpans: string[];
    class: NoteClass | null;
    // Class by the item's own prefix, mark or verb, whatever section it stands in.
    own: NoteClass | null;
    // Its written label or type: `fix`, `dev deps`, `docs`.
    label: string | null;
    section: NoteSection | null;
    // A list entry; otherwise a sentence of a body without list.
    listed: boolean;
    // Says nothing about the release ("Bug fixes and performance improvements").
    boilerplate: boolean;
  };

// Text that is no item but may still tell of a break: nested entries, paragraphs beside a list, table rows.
export type NoteAside = TextRange & Lines & { section: NoteSection | null; parent: NoteItem | null };

export type NoteBody = {
  content: string;
  items: NoteItem[];
  asides: NoteAside[];
  sections: NoteSection[];
  // Paragraphs that stand before the first list entry.
  lead: TextRange[];
};
