// What the steps of reading a changelog pass on: headings, sections and entries.
import type { DateOrder, DateReading } from '../dates/index.ts';
import type { ChangelogFormat } from './document-lines.ts';
import type { HeadingLine } from './heading-lines.ts';

export interface ChangelogEntry {
  // The heading reduced to text.
  heading: string;
  // The heading without its date. For an entry with nothing but a date, it is the first heading below or the date as
  // written.
  title: string;
  version: string | null;
  packagePart: string | null;
  date: DateReading | null;
  // 1 to 6.
  level: number;
  // Offset of the heading in the text.
  offset: number;
  body: string;
  yanked: boolean;
  // The URL fragment of the heading on a code host; null for a line that is no heading there.
  anchor: string | null;
  // How many sections of the file were joined into this entry; 1 for most.
  joined: number;
}

// A heading of the file with the text below it.
export interface ChangelogSection extends ChangelogEntry {
  // Further versions that the heading announces.
  more: readonly string[];
}

// Numbers of characters outside of entries, by where they are.
export interface OutsideText {
  // Before the first entry, without the title of the file.
  before: number;
  // Below headings such as Unreleased.
  unreleased: number;
  // Below headings that only group entries.
  groups: number;
  // Behind the last entry, from the heading that ends it.
  after: number;
  // In a file without entries, or in a part without a version.
  unread: number;
}

// A changelog cut at its headings.
export interface CutChangelog {
  sections: ChangelogSection[];
  outside: OutsideText;
}

export interface ChangelogOptions {
  // Names of organization, product, source, package and repository.
  names: readonly string[];
  now: Date;
  // Guessed from the text when absent.
  format?: ChangelogFormat;
}

export interface HeadingContext {
  // Names of organization, product, source, package and repository.
  names: readonly string[];
  now: Date;
  dayFirst: boolean;
  shortOrder: DateOrder | null;
}

export interface HeadingReading {
  version: string | null;
  // The name before the version, when it is none of the known ones.
  product: string | null;
  packagePart: string | null;
  // Further versions that the same heading announces.
  more: readonly string[];
  date: DateReading | null;
  // The date as written.
  dateText: string;
  // The heading without its date.
  words: string;
  // The words before and after the version, without names of the product and the usual words of release headings.
  before: string;
  after: string;
}

// `group` heads several entries, `section` divides the text without being an entry, `caption` is a bold line that names the
// text below it, and `none` is ordinary text.
export type HeadingRole = 'entry' | 'unreleased' | 'group' | 'section' | 'caption' | 'none';

export interface ClassifiedHeading extends HeadingLine {
  text: string;
  yanked: boolean;
  anchor: string | null;
  reading: HeadingReading;
  // The first line below that is not blank, and its date.
  below: { line: number; date: DateReading | null };
  role: HeadingRole;
}

// A heading with its final role, level and date.
export interface RankedHeading extends ClassifiedHeading {
  date: DateReading | null;
}
