// Tells HTML from markdown.
import { hiddenBlocks } from '../markdown/hidden-blocks.ts';

const BLOCK_TAG =
  /<(?:address|article|aside|blockquote|body|center|details|dialog|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|html|li|main|menu|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>])/gi;

// Whether a text has a block-level tag outside of code.
export function holdsBlockTag(text: string): boolean {
  if (text.search(BLOCK_TAG) < 0) return false;
  if (!text.includes('`') && !text.includes('~~~')) return true;
  const fences = hiddenBlocks(text).filter(({ kind }) => kind === 'fence');
  let fence = 0;
  let counted = 0;
  let backticks = 0;
  for (const { index } of text.matchAll(BLOCK_TAG)) {
    while (fence < fences.length && (fences[fence]?.end ?? 0) <= index) fence += 1;
    const inFence = (fences[fence]?.start ?? Number.POSITIVE_INFINITY) <= index;
    for (; counted < index; counted += 1) {
      const code = text.charCodeAt(counted);
      if (code === 0x0a) backticks = 0;
      else if (code === 0x60) backticks += 1;
    }
    if (!inFence && backticks % 2 === 0) return true;
  }
  return false;
}
