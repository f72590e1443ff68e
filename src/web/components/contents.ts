// The contents of a long text: its headings, with those one level below where there is room for them.
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';

export interface Heading {
  id: string;
  name: string;
  parts: readonly { id: string; name: string }[];
}

const MAX_HEADINGS = 12;
const MAX_ENTRIES = 24;

// A text with one heading needs no contents.
export function contents(headings: readonly Heading[], title: string): Html {
  return hasContents(headings)
    ? html`<nav class="toc" aria-label="${title}"><h2>${title}</h2>${entries(headings)}</nav>`
    : '';
}

// The same within the text, where the page has no room beside it.
export function contentsWithin(headings: readonly Heading[], title: string): Html {
  if (!hasContents(headings)) return '';
  return html`<details class="fold toc-inline"><summary>${icon('chevron')}${title}: ${plural(headings.length, 'part')}</summary><nav class="toc" aria-label="Contents">${entries(headings)}</nav></details>`;
}

function hasContents(headings: readonly Heading[]): boolean {
  return headings.length > 1 || (headings[0]?.parts.length ?? 0) > 1;
}

function entries(all: readonly Heading[]): Html {
  const [first, ...others] = all;
  // Below a single heading, such as the title of a changelog, its parts are the contents.
  const isTitle = first !== undefined && others.length === 0 && first.parts.length >= MAX_HEADINGS;
  const headings: readonly Heading[] = isTitle ? first.parts.map((part) => ({ ...part, parts: [] })) : all;
  const shown = headings.slice(0, isTitle ? MAX_ENTRIES : MAX_HEADINGS);
  const count = shown.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  const link = ({ id, name }: { id: string; name: string }) => html`<a href="#${id}">${name}</a>`;
  return html`<ul>${shown.map((heading) => html`<li>${link(heading)}${count <= MAX_ENTRIES && heading.parts.length > 0 ? html`<ul>${heading.parts.map((part) => html`<li>${link(part)}</li>`)}</ul>` : ''}</li>`)}</ul>`;
}
