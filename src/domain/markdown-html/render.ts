// Notes as they were written → HTML that is safe to show anywhere.
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { sanitizeHtml } from './sanitize.ts';

const LONGEST = 512_000;

export interface RenderOptions {
  /** What relative addresses are relative to; without it they are dropped. */
  base?: string | null;
}

/** Raw HTML inside the notes passes the same allow list as everything else. */
export function renderMarkdown(markdown: string, { base = null }: RenderOptions = {}): string {
  const html = micromark(cutAtBlock(markdown), {
    extensions: [gfm()],
    htmlExtensions: [htmlOfGfm()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
  });
  return sanitizeHtml(html, base);
}

// Without its own filter of tags, which shows the worst of them as text; the allow list drops them.
function htmlOfGfm(): ReturnType<typeof gfmHtml> {
  const { exit, ...rest } = gfmHtml();
  const { htmlFlowData, htmlTextData, ...others } = exit ?? {};
  return { ...rest, exit: others };
}

function cutAtBlock(markdown: string): string {
  if (markdown.length <= LONGEST) return markdown;
  const end = markdown.lastIndexOf('\n\n', LONGEST);
  const kept = markdown.slice(0, end > LONGEST / 2 ? end : LONGEST);
  return `${kept}\n\n${(markdown.length - kept.length).toLocaleString('en')} more characters are left out.`;
}
