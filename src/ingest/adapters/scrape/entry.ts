// An entry that a page parser has found, before it has an address and becomes an item.
import type { MediaItem } from '../../../contract/release.ts';
import type { DateReading } from '../../../domain/dates/index.ts';
import { parseVersion, versionInProse } from '../../../domain/versions/index.ts';

export interface PageEntry {
  title: string;
  // Markdown.
  content: string;
  version: string | null;
  date: DateReading | null;
  dateFromUpdated: boolean;
  // Absolute address as the page states it; it may lead to any host.
  link: string | null;
  // The fragment under which the page itself shows the entry.
  elementId: string | null;
  media: MediaItem[];
  // How many letters of the visible text of the page the entry covers.
  letters: number;
  // The text is on the linked page and has still to be read.
  awaitsBody: boolean;
  suppressedReason?: string;
}

export const PARSERS = ['json-ld', 'article', 'siblings', 'headings', 'state', 'index'] as const;

export type ParserName = (typeof PARSERS)[number];

// An entry with the fields that most parsers have nothing to say about.
export function entry(stated: Partial<PageEntry> & Pick<PageEntry, 'title'>): PageEntry {
  const content = stated.content ?? '';
  return {
    content,
    version: null,
    date: null,
    dateFromUpdated: false,
    link: null,
    elementId: null,
    media: [],
    letters: lettersIn(stated.title) + lettersIn(withoutTargets(content)),
    awaitsBody: false,
    ...stated,
  };
}

// Counts letters and digits, so that markup makes no difference.
export function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').length;
}

function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\([^()\s]{1,2048}\)/g, ']');
}

// The version that a title announces. A title that is one package and version is taken as written.
export function versionOfTitle(title: string, names: readonly string[]): string | null {
  const whole = /^\S+@v?\d[^\s@]*$/.test(title) ? parseVersion(title) : null;
  if (whole?.sortKey) return title;
  return versionInProse(title, names);
}
