// Headings that were meant as versions and cannot be read as one, so that no reader finds the section.
import { headingsOf } from '../markdown/headings.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { isMisread, type LintedFile } from './sections.ts';

export function headingFaults(file: LintedFile): LintFinding[] {
  return unreadHeadings(file).map(({ line, text }) =>
    lintFinding(
      'heading-unparsable',
      { line },
      {
        sentence: `"${text.slice(0, 60)}" looks like a version and cannot be read as one.`,
        evidence: [`line ${line}: ${(file.lines[line - 1] ?? '').slice(0, 120)}`],
        advice: 'Write the version as it is published, such as ## 1.2.3 - 2026-01-31.',
      },
    ),
  );
}

export function unreadHeadings({ lines, sections, entryLines }: LintedFile): { line: number; text: string }[] {
  // What heads a version in this file; without any, every heading may.
  const levels = new Set(sections.map(({ level }) => level));
  let line = 1;
  let start = 0;
  return [...headingsOf(lines.join('\n'))].flatMap(({ offset, level, text }) => {
    while (start + (lines[line - 1]?.length ?? 0) < offset) {
      start += (lines[line - 1]?.length ?? 0) + 1;
      line += 1;
    }
    if ((levels.size > 0 && !levels.has(level)) || text.length > 300) return [];
    const plain = text.replace(/\[([^\][]*)\]\([^()]*\)/g, '$1').trim();
    if (!isMisread(plain) && (entryLines.has(line) || !looksLikeVersion(plain))) return [];
    return [{ line, text: plain }];
  });
}

const DAY = /\(?\b(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})\b\)?/g;
const MADE_OF_NUMBERS = /^[[(`'"*]*v?\.?\s?[\doOlI]{1,3}(?:[.,:;_\s-]{1,2}[\doOlI?]{1,3}){1,3}[\])`'"*.,:\s-]*$/;

// Nothing but short numbers with signs between them, perhaps a letter for a digit, and a day.
function looksLikeVersion(plain: string): boolean {
  const rest = plain
    .replace(DAY, ' ')
    .replace(/^(?:version|release)\s+/i, '')
    .trim();
  return /\d.*[\doOlI?]/.test(rest) && MADE_OF_NUMBERS.test(rest);
}
