// The rules of HTML for elements whose end tag is missing.
import type { Document, Element } from 'domhandler';
import { buildTree, type TreeRules } from './tree.ts';

const VOID = new Set(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const ENDS_PARAGRAPH = new Set(
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hgroup hr main menu nav ol p pre section summary table ul li dd dt tr td th`.split(/\s+/),
);
// Which open elements a new element ends, and at which elements the search for them stops.
const ENDS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['tr'],
  thead: ['thead', 'tbody', 'tfoot'],
  tbody: ['thead', 'tbody', 'tfoot'],
  tfoot: ['thead', 'tbody', 'tfoot'],
};
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol', 'menu', 'dir', 'table', 'td', 'th'],
  dt: ['dl', 'table', 'td', 'th'],
  dd: ['dl', 'table', 'td', 'th'],
  option: ['select'],
  td: ['tr', 'table'],
  th: ['tr', 'table'],
  tr: ['table'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
};
const TABLE_PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption', 'html', 'body']);
// How many of the innermost open elements are searched for one that a new tag ends.
const REACH = 12;

const HTML: TreeRules = {
  xml: false,
  isVoid: (name) => VOID.has(name),
  endedBy: (name, open) => {
    const ends = ENDS[name];
    if (ends) return levelsUp(open, ends, SCOPES[name] ?? []);
    return ENDS_PARAGRAPH.has(name) && open.at(-1)?.name === 'p' ? 1 : 0;
  },
  isBoundary: (open, closing) => (open === 'td' || open === 'th') && !TABLE_PARTS.has(closing),
};

// The tree of an HTML text. Its depth is bounded and the work is linear, whatever the text nests.
export function parseHtml(text: string): Document {
  return buildTree(text, HTML).document;
}

function levelsUp(open: readonly Element[], names: readonly string[], scope: readonly string[]): number {
  for (let up = 1; up <= Math.min(REACH, open.length); up += 1) {
    const name = open[open.length - up]?.name ?? '';
    if (names.includes(name)) return up;
    if (scope.includes(name)) return 0;
  }
  return 0;
}
