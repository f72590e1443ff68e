// A value before and after, with what differs marked in the one after.
import type { EvidenceFinding } from '../../contract/evidence.ts';
import { type Html, html } from './html.ts';

const GONE: Partial<Record<EvidenceFinding['kind'], string>> = {
  export_removed: 'not exported any more',
  subpath_removed: 'no such entry point',
  bin_removed: 'no such command',
};

export function wasIs({ kind, was, is }: Pick<EvidenceFinding, 'kind' | 'was' | 'is'>): Html {
  if (was === null && is === null) return '';
  const after = is === null ? html`<span class="gone">${GONE[kind] ?? 'gone'}</span>` : marked(was ?? '', is);
  return html`<dl class="wasis">${was === null ? '' : html`<dt>Was</dt><dd>${was}</dd>`}<dt>Is</dt><dd>${after}</dd></dl>`;
}

// Only where the two have much in common: a mark over everything says nothing.
function marked(was: string, is: string): Html {
  const [before, after] = [partsOf(was), partsOf(is)];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = [...after.slice(0, start), ...after.slice(after.length - end)].join('');
  const changed = after.slice(start, after.length - end).join('');
  if (changed.trim() === '' || same.trim().length < changed.length / 2) return html`${is}`;
  return html`${after.slice(0, start).join('')}<span class="x">${changed}</span>${after.slice(after.length - end).join('')}`;
}

function partsOf(text: string): string[] {
  return text.match(/[\w$]+|\s+|[^\w\s$]/g) ?? [];
}
