// The contents of a long text: its headings, with those one level below where there is room for them.
import { formatCount, type Html, html, plural } from './html.ts';
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
  const parts = belowTitle(headings) ?? headings;
  return html`<details class="fold toc-inline"><summary>${icon('chevron')}${title}: ${plural(parts.length, 'part')}</summary><nav class="toc" aria-label="Contents">${entries(headings)}</nav></details>`;
}

function hasContents(headings: readonly Heading[]): boolean {
  return headings.length > 1 || (headings[0]?.parts.length ?? 0) > 1;
}

// Below a single heading, such as the title of a changelog, its parts are the contents.
function belowTitle([first, ...others]: readonly Heading[]): readonly Heading[] | null {
  const isTitle = first !== undefined && others.length === 0 && first.parts.length >= MAX_HEADINGS;
  return isTitle ? first.parts.map((part) => ({ ...part, parts: [] })) : null;
}

function entries(all: readonly Heading[]): Html {
  const parts = belowTitle(all);
  const headings = parts ?? all;
  const shown = headings.slice(0, parts ? MAX_ENTRIES : MAX_HEADINGS);
  const count = shown.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  const link = ({ id, name }: { id: string; name: string }) => html`<a href="#${id}">${withoutDay(name)}</a>`;
  const list = (some: readonly Heading[]) =>
    html`<ul>${some.map((heading) => html`<li>${link(heading)}${count <= MAX_ENTRIES && heading.parts.length > 0 ? html`<ul>${heading.parts.map((part) => html`<li>${link(part)}</li>`)}</ul>` : ''}</li>`)}</ul>`;
  const rest = headings.slice(shown.length);
  return html`${list(shown)}${rest.length > 0 ? html`<details class="fold"><summary>${icon('chevron')}${formatCount(rest.length)} more</summary>${list(rest)}</details>` : ''}`;
}

const DAY = /\s*[([–—-]?\s*\d{4}-\d{2}-\d{2}\s*[)\]]?$/;

// "10.4.0 (2026-11-07)" is two lines in a narrow column, and the day stands in the text.
function withoutDay(name: string): string {
  return name.replace(DAY, '') || name;
}
