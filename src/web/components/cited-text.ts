// Text whose statements each cite the release that they were taken from.
import type { Overview } from '../../contract/overview.ts';
import { type Html, html } from './html.ts';
import { versionMark } from './marks.ts';
import { inlineCode } from './prose.ts';

type Cited = Pick<Overview, 'content' | 'citations'>;

interface CitedReference {
  number: number;
  title: string;
  path: string | null;
}

const sitePath = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');

function references({ citations }: Cited): Map<string, CitedReference> {
  const found = new Map<string, CitedReference>();
  for (const { sourceUrl, title, releaseWebUrl } of citations) {
    const key = releaseWebUrl ?? sourceUrl;
    if (found.has(key)) continue;
    found.set(key, {
      number: found.size + 1,
      title: title ?? sourceUrl,
      path: releaseWebUrl ? sitePath(releaseWebUrl) : null,
    });
  }
  return found;
}

// Paragraphs and lists with a citation number after each cited statement, and the numbered references below.
export function citedText(cited: Cited): Html {
  const known = references(cited);
  const marks = new Map<number, CitedReference[]>();
  for (const { endIndex, sourceUrl, releaseWebUrl } of cited.citations) {
    const reference = known.get(releaseWebUrl ?? sourceUrl);
    if (reference) marks.set(endIndex, [...(marks.get(endIndex) ?? []), reference]);
  }
  let numbered = false;
  const blocks = blocksOf(cited.content).map(({ kind, lines }) => {
    const group = kind === 'paragraph' ? groupOf(lines, marks) : '';
    if (group !== '') return group;
    numbered ||= lines.some(({ start, text }) =>
      [...marks.keys()].some((end) => end > start && end <= start + text.length),
    );
    const parts = lines.map(({ start, text }) => withMarks(text, start, marks));
    if (kind === 'heading') return html`<h3>${parts}</h3>`;
    return kind === 'list' ? html`<ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>` : html`<p>${parts}</p>`;
  });
  const list = [...known.values()].map(
    ({ title, path }) => html`<li>${path ? html`<a href="${path}">${title}</a>` : html`<span>${title}</span>`}</li>`,
  );
  return html`<div class="prose">${blocks}</div>${numbered && list.length > 0 ? html`<ol class="cites" aria-label="Cited releases">${list}</ol>` : ''}`;
}

const GROUP = /^\*\*(?<name>[^*]{1,120})\*\*:\s+/;

// A paragraph about one product is a list of its statements, each a link to its release.
function groupOf(lines: readonly CitedLine[], marks: ReadonlyMap<number, CitedReference[]>): Html {
  const [line] = lines;
  const lead = line && lines.length === 1 ? GROUP.exec(line.text) : null;
  if (!line || !lead) return '';
  const ends = [...marks.keys()]
    .filter((end) => end > line.start && end <= line.start + line.text.length)
    .sort((a, b) => a - b);
  if (ends.length === 0) return '';
  let from = lead[0].length;
  const rows = ends.map((end, index) => {
    const reference = marks.get(end)?.[0];
    const text = line.text.slice(from, end - line.start);
    // Up to the next statement: the version in brackets and the full stop.
    const [behind = ''] = /^(?: \([^()]{1,120}\))?[.;]?\s*/.exec(line.text.slice(end - line.start)) ?? [];
    from = end - line.start + behind.length;
    const rest = index === ends.length - 1 ? line.text.slice(from) : '';
    const version = /\(([^()]+)\)/.exec(behind)?.[1];
    return html`<li>${reference?.path ? html`<a href="${reference.path}" dir="auto">${inlineText(text)}</a>` : html`<span dir="auto">${inlineText(text)}</span>`}${version ? html`<span class="muted small">${versionMark(version)}</span>` : ''}${rest ? html`<span class="sub">${inlineText(rest)}</span>` : ''}</li>`;
  });
  return html`<section class="cited-group"><h3>${lead.groups?.name}</h3><ul class="mini">${rows}</ul></section>`;
}

interface CitedLine {
  start: number;
  text: string;
}

interface Block {
  kind: 'paragraph' | 'list' | 'heading';
  lines: CitedLine[];
}

function blocksOf(content: string): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const line of content.split('\n')) {
    const [, marker = '', text = ''] = /^(\s*(?:[-*+]\s+|#{1,6}\s+)?)(.*)$/.exec(line) ?? [];
    const kind = /[-*+]/.test(marker) ? 'list' : marker.includes('#') ? 'heading' : 'paragraph';
    const last = blocks.at(-1);
    if (text.trim() === '') blocks.push({ kind: 'paragraph', lines: [] });
    else if (last && last.kind === kind && kind === 'list') last.lines.push({ start: at + marker.length, text });
    else blocks.push({ kind, lines: [{ start: at + marker.length, text }] });
    at += line.length + 1;
  }
  return blocks.filter(({ lines }) => lines.length > 0);
}

// Words between two pairs of stars are strong; code is shown as code.
export function inlineText(text: string): Html {
  const parts = text
    .split(/\*\*(?!\s)([^*]+)(?<!\s)\*\*/)
    .map((part, index) => (index % 2 === 1 ? html`<strong>${inlineCode(part)}</strong>` : inlineCode(part)));
  return html`${parts}`;
}

function withMarks(text: string, start: number, marks: ReadonlyMap<number, CitedReference[]>): Html {
  const cuts = [...marks.keys()].filter((end) => end > start && end <= start + text.length).sort((a, b) => a - b);
  let from = 0;
  const parts: Html[] = [];
  for (const end of cuts) {
    parts.push(inlineText(text.slice(from, end - start)));
    for (const { number, path, title } of marks.get(end) ?? []) {
      parts.push(
        path
          ? html`<a class="cite" href="${path}" title="${title}"><span class="sr">Release </span>${number}</a>`
          : html`<span class="cite">${number}</span>`,
      );
    }
    from = end - start;
  }
  parts.push(inlineText(text.slice(from)));
  return html`${parts}`;
}
