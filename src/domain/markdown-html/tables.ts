// Tables of GFM: a row of heads, a row of dashes, rows of cells until a blank line or another block.
import type { Table } from './block-tree.ts';

// A wide head makes every short row as wide, so the width is bounded, and so are the cells that are filled in.
const MAX_COLUMNS = 100;
const MAX_FILLED = 10_000;
const DASHES = /^[ \t]*:?-+:?[ \t]*$/;

// Null when the two lines begin no table.
export function beginTable(head: string, delimiters: string): Table | null {
  if (!/^[-|: \t]*$/.test(delimiters) || !delimiters.includes('-') || !/[|:]/.test(delimiters + head)) return null;
  const marks = cellsOf(delimiters);
  if (marks.length > MAX_COLUMNS || !marks.every((mark) => DASHES.test(mark))) return null;
  const cells = cellsOf(head);
  if (cells.length !== marks.length) return null;
  return { alignments: marks.map(alignmentOf), rows: [cells] };
}

export function addRow(table: Table, line: string): void {
  table.rows.push(cellsOf(line).slice(0, table.alignments.length));
}

export function tableHtml({ alignments, rows }: Table, inline: (text: string) => string): string {
  const [head = [], ...body] = rows;
  let filled = 0;
  const rowHtml = (cells: readonly string[], element: 'th' | 'td') => {
    const missing = Math.min(alignments.length - cells.length, MAX_FILLED - filled);
    filled += missing;
    const all = [...cells, ...new Array<string>(missing).fill('')];
    return `<tr>\n${all.map((cell) => `<${element}>${inline(cell)}</${element}>\n`).join('')}</tr>\n`;
  };
  const bodyHtml = body.length === 0 ? '' : `<tbody>\n${body.map((row) => rowHtml(row, 'td')).join('')}</tbody>\n`;
  return `<table>\n<thead>\n${rowHtml(head, 'th')}</thead>\n${bodyHtml}</table>\n`;
}

function alignmentOf(mark: string): Table['alignments'][number] {
  const text = mark.trim();
  if (text.startsWith(':')) return text.endsWith(':') ? 'center' : 'left';
  return text.endsWith(':') ? 'right' : null;
}

// An escaped bar belongs to its cell, in code too.
function cellsOf(line: string): string[] {
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
