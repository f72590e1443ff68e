// A publisher's text as part of a page: rendered and sanitized once, its headings below the page's own and with anchors.
import { renderNotes } from '../../catalog/atom/render-notes.ts';
import { type Html, html, raw } from './html.ts';

interface Rendered {
  html: Html;
  headings: { id: string; name: string }[];
}

const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;
const MOST_HEADINGS = 12;

function anchorOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `r-${slug || 'section'}`;
}

const plain = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim();

// The text is sanitized before: it holds no id and no heading that was not written by the renderer.
export function withAnchors(markup: string): Rendered {
  const levels = [...markup.matchAll(HEADING)].map(([, level]) => Number(level));
  const shift = levels.length > 0 ? 2 - Math.min(...levels) : 0;
  const seen = new Map<string, number>();
  const headings: Rendered['headings'] = [];
  const text = markup.replaceAll(HEADING, (_, level: string, inner: string) => {
    const name = plain(inner);
    const tag = `h${Math.min(6, Math.max(2, Number(level) + shift))}`;
    const base = anchorOf(name);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    const id = count === 0 ? base : `${base}-${count + 1}`;
    if (tag === 'h2') headings.push({ id, name });
    return `<${tag} id="${id}">${inner}${String(html`<a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a>`)}</${tag}>`;
  });
  // A block of code can be scrolled sideways, so a keyboard must be able to reach it.
  return { html: raw(text.replaceAll('<pre>', '<pre tabindex="0">')), headings: headings.slice(0, MOST_HEADINGS) };
}

export async function renderedNotes({ content, url }: { content: string; url: string | null }): Promise<Rendered> {
  return withAnchors(await renderNotes({ markdown: content, base: url }));
}

// Words between backticks are code; everything else of such a line is plain text.
export function inlineCode(text: string): Html {
  const parts = text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
