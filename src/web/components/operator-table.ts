// Tables of the operator area: dense on a wide screen, stacked on a narrow one, and small forms that act on a row.
import type { Shell } from '../frame/shell.ts';
import { postForm } from './form.ts';
import { type Html, html } from './html.ts';

interface TableColumn {
  name: string;
  numeric?: boolean;
}

// The first cell names the row.
export function operatorTable(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Html[])[],
): Html {
  const head = columns.map(
    ({ name, numeric }) => html`<th scope="col"${numeric ? html` class="num"` : ''}>${name}</th>`,
  );
  const body = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, index) =>
        index === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td data-th="${columns[index]?.name ?? ''}"${columns[index]?.numeric ? html` class="num"` : ''}>${cell}</td>`,
      )}</tr>\n`,
  );
  return html`<div class="table-wrap" tabindex="0" role="region" aria-label="${label}"><table class="table stacked dense"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
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
