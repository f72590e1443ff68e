// Tables of GFM: a header row, a delimiter row, and rows of cells until a blank line or another block.
import type { Table } from './block-tree.ts';

// Short rows are filled up to the width of the header row. Width and filling are bounded, because a wide header above many
// empty rows would make a page of any size.
const MAX_COLUMNS = 100;
const MAX_FILLED = 10_000;
const DELIMITER_CELL = /^[ \t]*:?-+:?[ \t]*$/;

// The table that a header row and a delimiter row begin; null when the two lines are no such rows.
export function beginTable(header: string, delimiterRow: string): Table | null {
  if (!/^[-|: \t]*$/.test(delimiterRow) || !delimiterRow.includes('-') || !/[|:]/.test(delimiterRow + header))
    return null;
  const delimiters = cellsOf(delimiterRow);
  if (delimiters.length > MAX_COLUMNS || !delimiters.every((cell) => DELIMITER_CELL.test(cell))) return null;
  const cells = cellsOf(header);
  if (cells.length !== delimiters.length) return null;
  return { alignments: delimiters.map(alignmentOf), rows: [cells] };
}

export function addRow(table: Table, line: string): void {
  table.rows.push(cellsOf(line).slice(0, table.alignments.length));
}

export function tableHtml({ alignments, rows }: Table, inline: (text: string) => string): string {
  const [header = [], ...body] = rows;
  let filled = 0;
  const rowHtml = (cells: readonly string[], element: 'th' | 'td') => {
    const missing = Math.min(alignments.length - cells.length, MAX_FILLED - filled);
    filled += missing;
    const all = [...cells, ...new Array<string>(missing).fill('')];
    return `<tr>\n${all.map((cell) => `<${element}>${inline(cell)}</${element}>\n`).join('')}</tr>\n`;
  };
  const bodyHtml = body.length === 0 ? '' : `<tbody>\n${body.map((row) => rowHtml(row, 'td')).join('')}</tbody>\n`;
  return `<table>\n<thead>\n${rowHtml(header, 'th')}</thead>\n${bodyHtml}</table>\n`;
}

function alignmentOf(delimiter: string): Table['alignments'][number] {
  const text = delimiter.trim();
  if (text.startsWith(':')) return text.endsWith(':') ? 'center' : 'left';
  return text.endsWith(':') ? 'right' : null;
}

// The cells of a row. An escaped pipe belongs to its cell, even in a code span.
export function cellsOf(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = '';
  let from = text.startsWith('|') ? 1 : 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\' && at + 1 < text.length) {
      if (text[at + 1] === '|') {
        cell += text.slice(from, at);
        from = at + 1;
      }
      at += 1;
    } else if (character === '|') {
      cells.push((cell + text.slice(from, at)).trim());
      cell = '';
      from = at + 1;
    }
  }
  const last = (cell + text.slice(from)).trim();
  if (last !== '' || from < text.length || cells.length === 0) cells.push(last);
  return cells;
}
