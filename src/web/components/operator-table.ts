// Tables of the operator area: dense on a wide screen, stacked on a narrow one, and small forms that act on a row.
import type { Shell } from '../frame/shell.ts';
import { filledTable, type TableColumn } from './filled-table.ts';
import { postForm } from './form.ts';
import { type Html, html } from './html.ts';

// The first cell names the row; a column without any value is left out.
export function operatorTable(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Html[])[],
): Html {
  const table = filledTable({ caption: label, columns, rows, className: 'table stacked dense' });
  return html`<div class="table-wrap" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

interface RowAction {
  action: string;
  label: string;
  // The name of the row, for screen readers.
  target: string;
  values?: Readonly<Record<string, string>>;
  // The text that must be typed to confirm a deletion.
  confirm?: string;
}

export function rowAction(shell: Shell, { action, label, target, values = {}, confirm }: RowAction): Html {
  const name = action.split('/').at(-1) ?? '';
  if (confirm === undefined) {
    return postForm(
      shell,
      { name, action, values, className: 'inline' },
      html`<button class="btn quiet small" type="submit" aria-label="${label} ${target}">${label}</button>`,
    );
  }
  const id = `confirm-${name}-${confirm}`.replaceAll(/[^\w-]/g, '-');
  return html`<details class="confirm"><summary class="btn quiet small" aria-label="${label} ${target}">${label}</summary>${postForm(
    shell,
    { name, action, values },
    html`<div class="field"><label for="${id}">Type ${confirm} to confirm</label><input class="input" id="${id}" name="confirm" autocomplete="off" required></div><button class="btn danger small" type="submit">${label}</button>`,
  )}</details>`;
}
