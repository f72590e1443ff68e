// What the steps of reading a changelog hand on: its headings, its sections, its entries.
import type { DateOrder, DateReading } from '../dates/index.ts';
import type { ChangelogFormat } from './document-lines.ts';
import type { HeadingLine } from './heading-lines.ts';

export interface ChangelogEntry {
  // The heading reduced to text.
  heading: string;
  // The heading without its date; of an entry that has only a date, its first sub-heading or the date as written.
  title: string;
  version: string | null;
  packagePart: string | null;
  date: DateReading | null;
  // 1 to 6.
  level: number;
  // Where the heading begins in the text.
  offset: number;
  body: string;
  yanked: boolean;
  // The fragment under which a code host shows the heading; null for a line that it does not show as one.
  anchor: string | null;
  // How many headings of the file were joined in this entry; 1 for most.
  joined: number;
}

// A heading with its text, as it stands in the file.
export interface ChangelogSection extends ChangelogEntry {
  // Further versions that the heading announces.
  more: readonly string[];
}

// Characters by where they stand.
export interface OutsideText {
  // Above the first entry, the title of the file aside.
  before: number;
  // Below headings such as Unreleased.
  unreleased: number;
  // Below headings that only group entries.
  groups: number;
  // Below the last entry, from the heading on that ends it.
  after: number;
  // Of a file without any entry, or of a part from which no version could be read.
  unread: number;
}

// A changelog cut at its headings.
export interface CutChangelog {
  sections: ChangelogSection[];
  outside: OutsideText;
}

export interface ChangelogOptions {
  // Words of org, product, source, package and repository.
  names: readonly string[];
  now: Date;
  // Guessed from the text when absent.
  format?: ChangelogFormat;
}

export interface HeadingContext {
  // Words of org, product, source, package and repository.
  names: readonly string[];
  now: Date;
  dayFirst: boolean;
  shortOrder: DateOrder | null;
}

export interface HeadingReading {
  version: string | null;
  packagePart: string | null;
  // Further versions that the same heading announces.
  more: readonly string[];
  date: DateReading | null;
  // The date as written.
  dateText: string;
  // The heading with its date set aside.
  words: string;
  // Words before and after the version that are neither a name of the product nor usual beside a version.
  before: string;
  after: string;
}

// `group` only stands over entries, `section` divides the text without being an entry, `caption` is a bold line that only
// names what follows, and `none` is ordinary text.
export type HeadingRole = 'entry' | 'unreleased' | 'group' | 'section' | 'caption' | 'none';

export interface ClassifiedHeading extends HeadingLine {
  text: string;
  yanked: boolean;
  anchor: string | null;
  reading: HeadingReading;
  // The first line below that is not blank, and the date it states.
  below: { line: number; date: DateReading | null };
  role: HeadingRole;
}

// A heading with its final role, level and date.
export interface RankedHeading extends ClassifiedHeading {
  date: DateReading | null;
}
