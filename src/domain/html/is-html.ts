// Tells HTML from markdown.
import { hiddenBlocks, lineTracker } from '../markdown/hidden-blocks.ts';

const BLOCKS = `
  address article aside blockquote body center details dialog dd div dl dt fieldset figcaption figure footer form
  h[1-6] header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`;
const OTHERS = `
  a abbr acronym applet area audio b base bdi bdo big br button canvas cite code data datalist del dfn em embed
  font frame frameset head i iframe img input ins kbd label link map mark marquee math meta meter noscript object
  optgroup option output param picture progress q rp rt ruby s samp script select slot small source span strike
  strong style sub sup svg template textarea time title track tt u var video wbr`;
// A comment, an element of HTML that is no block, or any element with attributes. `Vec<T>` is none of them.
const OTHER = `!--|/?(?:${either(OTHERS)})(?=[\\s/>]|$)|[a-z][\\w:-]{0,60}[\\s/][^<>=]{0,200}=`;
const BLOCK_TAG = new RegExp(`<(?:${either(BLOCKS)})(?=[\\s/>])`, 'gi');
const OTHER_TAG = new RegExp(`<(?:${OTHER})`, 'gi');
const ANY_TAG = new RegExp(`<(?:${OTHER}|/?(?:${either(BLOCKS)})(?=[\\s/>]|$))`, 'gi');
const MARKDOWN_SIGN = /^ {0,3}(?:[-*+] |#{1,6} |>|\d{1,9}[.)] )|\]\(|\*\*|`|~~~/m;

// Whether a text has a block-level tag outside of code.
export function holdsBlockTag(text: string): boolean {
  return !tagStarts(text, BLOCK_TAG).next().done;
}

// Where tags that are no blocks, and comments, begin outside of code.
export function otherTags(text: string): Generator<number> {
  return tagStarts(text, OTHER_TAG);
}

export function allTags(text: string): Generator<number> {
  return tagStarts(text, ANY_TAG);
}

// Whether the marks of a text are those of markdown.
export function isMarkdown(text: string): boolean {
  return MARKDOWN_SIGN.test(text);
}

function either(names: string): string {
  return names.trim().split(/\s+/).join('|');
}

function* tagStarts(text: string, tag: RegExp): Generator<number> {
  if (text.search(tag) < 0) return;
  const mayHoldCode = text.includes('`') || text.includes('~~~');
  const fences = mayHoldCode ? hiddenBlocks(text).filter(({ kind }) => kind === 'fence') : [];
  const lines = mayHoldCode ? lineTracker(text) : null;
  let fence = 0;
  for (const { index } of text.matchAll(tag)) {
    while (fence < fences.length && (fences[fence]?.end ?? 0) <= index) fence += 1;
    const inFence = (fences[fence]?.start ?? Number.POSITIVE_INFINITY) <= index;
    const isCode = lines?.at(index).isCode ?? false;
    if (!inFence && !isCode) yield index;
  }
}
