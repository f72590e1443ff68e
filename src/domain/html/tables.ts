// HTML tables of data → tables of GFM.
import { type Element, isTag } from 'domhandler';
import { elementsOf, isRemoved, tagName } from './elements.ts';

interface TableRow {
  cells: Element[];
  isHeader: boolean;
}

const PARTS = new Set(['thead', 'tbody', 'tfoot']);
// A cell of markdown is one line, so that a table with such elements is one for layout.
const TOO_LARGE = new Set(['table', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'hr']);
const MAX_COLUMNS = 100;

// The rows of a table, or null when it only arranges blocks on the page.
export function dataRows(table: Element): TableRow[] | null {
  if (/^(?:presentation|none)$/i.test(table.attribs.role?.trim() ?? '')) return null;
  const rows = rowsOf(table, false);
  const widest = Math.max(0, ...rows.slice(0, 1000).map((row) => row.cells.length));
  if (widest < 2 || widest > MAX_COLUMNS) return null;
  for (const element of elementsOf(table.children, isRemoved)) if (TOO_LARGE.has(tagName(element))) return null;
  return rows;
}

function rowsOf(parent: Element, inHead: boolean): TableRow[] {
  return childElements(parent).flatMap((child) => {
    const name = tagName(child);
    if (PARTS.has(name)) return rowsOf(child, name === 'thead');
    if (name !== 'tr') return [];
    const cells = childElements(child).filter((cell) => ['td', 'th'].includes(tagName(cell)));
    if (cells.length === 0) return [];
    return [{ cells, isHeader: inHead || cells.every((cell) => tagName(cell) === 'th') }];
  });
}

function childElements(parent: Element): Element[] {
  return parent.children.filter((child): child is Element => isTag(child) && !isRemoved(child));
}

// The lines of a table; `cellText` returns the markdown of one cell on one line.
export function tableLines(rows: readonly TableRow[], cellText: (cell: Element) => string): string[] {
  const spans = new RowSpans();
  const grid = rows.map(({ cells }) => spans.place(cells, cellText));
  const width = Math.min(MAX_COLUMNS, Math.max(...grid.slice(0, 1000).map((row) => row.length)));
  // A table of markdown has to have a header row, so that the first row is used as one.
  const [header = [], ...body] = grid;
  const padded = Array.from({ length: width }, (_, column) => header[column] ?? '');
  return [lineOf(padded), lineOf(padded.map(() => '---')), ...body.map((row) => lineOf(row.slice(0, width)))];
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

// Fills the positions of cells that span several rows or columns, so that all cells stay in their columns.
class RowSpans {
  // How many further rows a cell above covers, by column.
  private covered: number[] = [];

  place(cells: readonly Element[], cellText: (cell: Element) => string): string[] {
    const row: string[] = [];
    const next: number[] = [];
    const fill = () => {
      while (row.length < MAX_COLUMNS && (this.covered[row.length] ?? 0) > 0) {
        next[row.length] = (this.covered[row.length] ?? 0) - 1;
        row.push('');
      }
    };
    for (const cell of cells) {
      fill();
      if (row.length >= MAX_COLUMNS) break;
      const rowSpan = spanOf(cell.attribs.rowspan) - 1;
      const columns = spanOf(cell.attribs.colspan);
      for (let at = 0; at < columns && row.length < MAX_COLUMNS; at += 1) {
        next[row.length] = rowSpan;
        row.push(at === 0 ? cellText(cell) : '');
      }
    }
    fill();
    this.covered = next;
    return row;
  }
}

function spanOf(text: string | undefined): number {
  const span = Number.parseInt(text ?? '1', 10);
  return span > 1 ? Math.min(span, MAX_COLUMNS) : 1;
}
