// Headings that were meant as versions and cannot be read as one, so that no reader finds the section.
import { headingsOf } from '../markdown/headings.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import type { LintedFile } from './sections.ts';

// A number with a fault: two dots, a comma or a blank for a dot, a letter for a digit, a bracket that is not closed.
const FAULTY: readonly RegExp[] = [
  /^v?\d{1,6}(?:\.\d{1,6})*\.{2,3}\d/,
  /^v?\d{1,6},\s?\d{1,6}(?:[.,]\s?\d{1,6})?(?=\s|$|\))/,
  /^v?\d{1,6}(?:\.\d{1,6})*(?:\s\.\s?|\.\s)\d{1,6}(?:\.\d{1,6})*(?=\s|$)/,
  /^v?\d{1,6}(?:\.\d{1,6})*\.[oOlI](?:\.|\s|$)/,
  /^v?[oOlI]\.\d{1,6}(?:\.\d{1,6})*(?=\s|$)/,
  /^v?\d{1,6}\.[oOlI]\d*\.\d{1,6}/,
  /^v\s?\d{1,6}_\d{1,6}-\d{1,6}(?=\s|$)/,
  /^v?\d{1,6}(?:\.\d{1,6}){2,3}\.(?=\s+[-(\u2013\u2014]|$)/,
  /^v?\d{1,6}\.\d{1,6}\.(?:x|y|z|tbd|\?+|_+|n)\b/i,
  /^v?\d{1,6}(?:[-:/]\d{1,6}){2}\s/,
];

export function headingFaults(file: LintedFile): LintFinding[] {
  const { lines, sections } = file;
  const levels = new Set(sections.map(({ level }) => level));
  const known = new Set(sections.map(({ line }) => line));
  // Behind the list of starts a heading is found by its offset.
  let line = 1;
  let start = 0;
  return [...headingsOf(lines.join('\n'))].flatMap(({ offset, level, text }) => {
    while (start + (lines[line - 1]?.length ?? 0) < offset) {
      start += (lines[line - 1]?.length ?? 0) + 1;
      line += 1;
    }
    if (known.has(line) || !(levels.size === 0 || levels.has(level)) || text.length > 200) return [];
    const plain = text.replace(/\[([^\]]*)\]\([^()]*\)/g, '$1').replace(/^[\s[\]*_`("']+/, '');
    const isFaulty = FAULTY.some((pattern) => pattern.test(plain.replace(/^(?:version|release)\s+/i, '')));
    if (!isFaulty) return [];
    return [
      lintFinding(
        'heading-unparsable',
        { line },
        {
          sentence: `"${plain.slice(0, 60)}" looks like a version and cannot be read as one.`,
          evidence: [`line ${line}: ${(lines[line - 1] ?? '').slice(0, 120)}`],
          advice: 'Write the version as it is published, such as ## 1.2.3 - 2026-01-31.',
        },
      ),
    ];
  });
}
