// A choice among a few values in a row of filters; the empty one is "any".
import { type Html, html } from './html.ts';

interface SelectFilter {
  name: string;
  // What a screen reader calls it; left out: the words for "any".
  label?: string;
  any: string;
  options: readonly (readonly [value: string, words: string])[];
  chosen: string | undefined;
}

export function selectFilter({ name, any, label = any, options, chosen }: SelectFilter): Html {
  return html`<label class="sr" for="f-${name}">${label}</label><select class="select" id="f-${name}" name="${name}"><option value="">${any}</option>${options.map(([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`)}</select>`;
}
