import { type DateReading, findDate } from '../dates/index.ts';
import { headingText, renderInline, trimEdges } from './heading-text.ts';
import type { HeadingContext } from './heading-version.ts';

const LONGEST_LINE = 200;
const LEAD = /^(?:released?(?: date| on)?|published|date)(?![\p{L}\p{N}])/iu;
const LONGEST_GAP = 20;

// The date that the line below a heading states: the line is only a date, or begins with a word like Released.
export function statedDate(line: string, context: HeadingContext): DateReading | null {
  if (line.length > LONGEST_LINE || !/\d\d/.test(line)) return null;
  const { text } = headingText(renderInline(line.replace(/^\s*(?:>\s*|[-*+]\s+)?#{0,6}\s*/, '')));
  const found = findDate(text, { ...context, slot: true });
  if (!found) return null;
  const date = { at: found.at, precision: found.precision };
  const rest = trimEdges(`${text.slice(0, found.start)} ${text.slice(found.end)}`);
  if (rest === '') return date;
  const lead = LEAD.exec(text);
  return lead && found.start - lead[0].length <= LONGEST_GAP ? date : null;
}
