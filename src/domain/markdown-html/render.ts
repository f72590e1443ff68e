// Renders notes as HTML that is safe to show anywhere. The work is linear in the length of the notes.

import { parseBlocks } from '../markdown/parse-blocks.ts';
import { blocksHtml } from './blocks-html.ts';
import { escapeHtml } from './escape.ts';
import { linkBases, repositoryOf } from './repository-links.ts';
import { type RenderedText, sanitizeHtml } from './sanitize.ts';

// The version rises with every change of the output, so that nothing cached from an older version is taken for new.
export const RENDERER = { version: 2, since: '2026-11-15T00:00:00.000Z' };

// Longer notes are cut, in characters.
const MAX_LENGTH = 512 * 1024;

export interface RenderOptions {
  // The URL of the note or file, which relative URLs are resolved against; in a repository, against its tagged files.
  base?: string | null;
  // The text belongs to the repository of `base`, so that `#12`, `@user` and commit ids are links.
  inRepository?: boolean;
  // Writes classes, anchors and syntax highlighting, which only our own pages have styles for.
  isPage?: boolean;
  // The prefix of all anchors.
  prefix?: string;
  // The URL of the whole text, for notes that are cut.
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

// Cuts at the last blank line, unless that would lose half of what is allowed.
function cutAtBlock(markdown: string): string {
  if (markdown.length <= MAX_LENGTH) return markdown;
  const end = markdown.lastIndexOf('\n\n', MAX_LENGTH);
  return markdown.slice(0, end > MAX_LENGTH / 2 ? end : MAX_LENGTH);
}

function cutLine({ omitted, wholeAt, isPage }: { omitted: number; wholeAt: string | null; isPage: boolean }): string {
  const link = wholeAt === null ? '' : ` <a href="${escapeHtml(wholeAt)}">Read the whole text as markdown</a>.`;
  return `<p${isPage ? ' class="cut"' : ''}>${omitted.toLocaleString('en')} more characters are left out.${link}</p>\n`;
}
