// Text wrapped to the width of the terminal at its blanks. Lines behind the first keep the indentation, behind a list mark that of
// its text; a word that is longer than a line, such as an address, stays whole.
import { displayWidth } from './table.ts';

const INDENT = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/;
const MOST_INDENT = 12;

export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const [lead = ''] = INDENT.exec(line) ?? [];
  const indent = ' '.repeat(Math.min(displayWidth(lead), MOST_INDENT));
  const lines: string[] = [];
  let current = lead;
  let isEmpty = true;
  for (const word of line.slice(lead.length).split(' ')) {
    if (!isEmpty && displayWidth(current) + 1 + displayWidth(word) > width) {
      lines.push(current.trimEnd());
      current = indent + word;
    } else {
      current += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}
