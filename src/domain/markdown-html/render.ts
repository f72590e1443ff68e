// Notes as they were written → HTML that is safe to show anywhere. The work is linear in the length of the notes, so
// that a stranger's notes cost no more than their size.
import { createHash } from 'node:crypto';
import { blocksHtml } from './blocks-html.ts';
import { parseBlocks } from './parse-blocks.ts';
import { RenderCache } from './render-cache.ts';
import { sanitizeHtml } from './sanitize.ts';

// What is longer takes too long to make at once, and nobody reads it to its end.
const LONGEST = 64_000;

interface RenderOptions {
  // What relative addresses are relative to; without it they are dropped.
  base?: string | null;
}

const rendered = new RenderCache();

// Raw HTML inside the notes passes the same allow list as everything else.
export function renderMarkdown(markdown: string, { base = null }: RenderOptions = {}): string {
  const key = createHash('sha256')
    .update(`${base ?? ''}\n${markdown}`)
    .digest('base64');
  const known = rendered.get(key);
  if (known !== undefined) return known;
  const { document, references } = parseBlocks(cutAtBlock(markdown));
  const html = sanitizeHtml(blocksHtml(document, references), base);
  rendered.set(key, html);
  return html;
}

function cutAtBlock(markdown: string): string {
  if (markdown.length <= LONGEST) return markdown;
  const end = markdown.lastIndexOf('\n\n', LONGEST);
  const kept = markdown.slice(0, end > LONGEST / 2 ? end : LONGEST);
  return `${kept}\n\n${(markdown.length - kept.length).toLocaleString('en')} more characters are left out.`;
}
