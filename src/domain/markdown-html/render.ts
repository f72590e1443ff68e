// Renders notes as HTML that is safe to show anywhere. The work is linear in the length of the notes.
import { blocksHtml } from './blocks-html.ts';
import { escapeHtml } from './escape.ts';
import { parseBlocks } from './parse-blocks.ts';
import { linkBases, repositoryOf } from './repository-links.ts';
import { type RenderedText, sanitizeHtml } from './sanitize.ts';

// The version rises with every change of what is written, so that nothing made by an older one is taken for it.
export const RENDERER = { version: 2, since: '2026-11-15T00:00:00.000Z' };

// Longer notes are cut.
const LONGEST = 512 * 1024;

export interface RenderOptions {
  // The address of the note or file. Relative addresses are relative to it or, in a repository, to its tagged files.
  base?: string | null;
  // The text is from the repository that `base` lies in, so that `#12` and its like are links.
  inRepository?: boolean;
  // Classes, anchors and colours of code, for pages that know them.
  isPage?: boolean;
  // The prefix of all anchors.
  prefix?: string;
  // The address of the whole text, when it is cut here.
  wholeAt?: string | null;
}

// Raw HTML inside the notes passes the same allow list as everything else.
export function renderMarkdown(markdown: string, options: RenderOptions = {}): RenderedText {
  const { base = null, inRepository = false, isPage = false, prefix = 'r-', wholeAt = null } = options;
  const shown = cutAtBlock(markdown);
  const { document, definitions } = parseBlocks(shown);
  const repository = inRepository ? repositoryOf(base) : null;
  const { html, headings } = sanitizeHtml(blocksHtml(document, definitions), {
    ...linkBases(base),
    repository,
    isPage,
    prefix,
  });
  const omitted = markdown.length - shown.length;
  return { html: omitted === 0 ? html : `${html}${cutLine({ omitted, wholeAt, isPage })}`, headings };
}

// At the last blank line that leaves most of the text.
function cutAtBlock(markdown: string): string {
  if (markdown.length <= LONGEST) return markdown;
  const end = markdown.lastIndexOf('\n\n', LONGEST);
  return markdown.slice(0, end > LONGEST / 2 ? end : LONGEST);
}

function cutLine({ omitted, wholeAt, isPage }: { omitted: number; wholeAt: string | null; isPage: boolean }): string {
  const link = wholeAt === null ? '' : ` <a href="${escapeHtml(wholeAt)}">Read the whole text as markdown</a>.`;
  return `<p${isPage ? ' class="cut"' : ''}>${omitted.toLocaleString('en')} more characters are left out.${link}</p>\n`;
}
