// A table that leaves out what none of its rows has: a column without a value says nothing.
import { type Html, html } from './html.ts';

export interface TableColumn {
  name: string;
  numeric?: boolean;
  className?: string;
  // Stands in the cells of a row that has no value, where others have one.
  none?: string;
}

interface FilledTable {
  caption: string;
  columns: readonly TableColumn[];
  // The first cell names the row. An empty cell is ''.
  rows: readonly (readonly Html[])[];
  className?: string;
}

export function filledTable({ caption, columns, rows, className = 'table stacked' }: FilledTable): Html {
  const shown = columns.flatMap((column, index) =>
    index === 0 || rows.some((cells) => (cells[index] ?? '') !== '') ? [{ ...column, index }] : [],
  );
  const style = ({ numeric, className: own }: TableColumn) => {
    const names = [numeric ? 'num' : '', own ?? ''].filter(Boolean).join(' ');
    return names ? html` class="${names}"` : '';
  };
  const cell = (column: (typeof shown)[number], cells: readonly Html[]) => {
    const value = cells[column.index] ?? '';
    const none = column.none ? html`<span class="muted">${column.none}</span>` : '';
    return column.index === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td data-th="${column.name}"${style(column)}>${value === '' ? none : value}</td>`;
  };
  return html`<table class="${className}"><caption class="sr">${caption}</caption><thead><tr>${shown.map((column) => html`<th scope="col"${column.numeric ? html` class="num"` : ''}>${column.name}</th>`)}</tr></thead><tbody>${rows.map((cells) => html`<tr>${shown.map((column) => cell(column, cells))}</tr>\n`)}</tbody></table>`;
}
