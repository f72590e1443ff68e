// A publisher's text as part of a page: rendered and sanitized once, its headings below the page's own and with anchors.

import type { RenderOptions } from '../../domain/markdown-html/render.ts';
import { renderNotes } from '../../releases/atom/render-notes.ts';
import type { Heading } from './contents.ts';
import { type Html, html, raw } from './html.ts';
import { type IconName, icon } from './icon.ts';

interface RenderedProse {
  html: Html;
  headings: Heading[];
}
const ALERT_ICONS: Record<string, IconName> = {
  note: 'info',
  tip: 'check',
  important: 'star',
  warning: 'warning',
  caution: 'v-major',
};
// Only the renderer writes this markup: the sanitizer removes classes from the publisher's text.
const ALERT = /(<div class="alert (\w+)" role="note"><p class="t">)/g;

export async function renderedNotes({
  content,
  ...options
}: RenderOptions & { content: string }): Promise<RenderedProse> {
  const text = await renderNotes({ markdown: content, isPage: true, ...options });
  const marked = text.html.replace(
    ALERT,
    (_, open: string, kind: string) => `${open}${icon(ALERT_ICONS[kind] ?? 'info')}`,
  );
  return { html: raw(marked), headings: text.headings };
}

// Text between backticks becomes code; the rest of the line is plain text.
export function inlineCode(text: string): Html {
  const parts = text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}
