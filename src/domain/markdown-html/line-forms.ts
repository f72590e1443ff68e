// Recognises by one line which block it begins or ends. Every check costs no more than the length of the line.
import { atxHeading, headingEnd } from '../markdown/headings.ts';
import { codeFence, listMarkerEnd, uniformRun } from '../markdown/line-syntax.ts';
import type { ListMarker } from './block-tree.ts';

export function readHeading(content: string): { level: number; text: string } | null {
  const heading = atxHeading(content, 0, content.length, 'strict');
  if (heading === null) return null;
  const text = content.slice(heading.level).trim();
  return { level: heading.level, text: text.slice(0, headingEnd(text, 0, text.length, 'strict')) };
}

// The level of the heading that the line underlines.
export function setextLevel(content: string): 1 | 2 | null {
  const character = content[0];
  if (character !== '=' && character !== '-') return null;
  let at = 0;
  while (content[at] === character) at += 1;
  if (content.slice(at).trim() !== '') return null;
  return character === '=' ? 1 : 2;
}

export function isThematicBreak(content: string): boolean {
  const character = content[0];
  if (character !== '*' && character !== '-' && character !== '_') return false;
  return uniformRun(content, 0, content.length) >= 3;
}

export function openingFence(content: string): { character: string; length: number; info: string } | null {
  const fence = codeFence(content, 0, content.length);
  return fence?.canOpen ? { character: fence.character, length: fence.length, info: fence.info } : null;
}

export function closesFence(content: string, fence: { character: string; length: number }): boolean {
  const closing = codeFence(content, 0, content.length);
  return closing?.character === fence.character && closing.length >= fence.length && closing.info === '';
}

const BLOCK_TAGS = new Set(
  `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
  fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main
  menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr
  track ul`.split(/\s+/),
);
const RAW_TAGS = new Set(['script', 'pre', 'style', 'textarea']);
const WHOLE_TAG =
  /^<(?:\/[a-z][a-z0-9-]*[ \t]*|[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?)>[ \t]*$/i;

// The end condition of the HTML block that the line begins: a pattern, or null for a blank line; undefined when the line
// begins no HTML block. A tag of any other name begins one only where it cannot continue a paragraph.
export function htmlBlockEnd(content: string, inParagraph: boolean): RegExp | null | undefined {
  if (content[0] !== '<') return undefined;
  if (content.startsWith('<!--')) return /-->/;
  if (content.startsWith('<?')) return /\?>/;
  if (content.startsWith('<![CDATA[')) return /\]\]>/;
  if (/^<![a-z]/i.test(content)) return />/;
  const { close, name } = /^<(?<close>\/?)(?<name>[a-z][a-z0-9-]{0,20})(?=[\s/>]|$)/i.exec(content)?.groups ?? {};
  const tag = name?.toLowerCase();
  if (tag !== undefined && close === '' && RAW_TAGS.has(tag)) return /<\/(?:script|pre|style|textarea)>/i;
  if (tag !== undefined && BLOCK_TAGS.has(tag)) return null;
  return !inParagraph && WHOLE_TAG.test(content) ? null : undefined;
}

// The list marker at the beginning of a line; `width` does not count the white space behind it.
export function readListMarker(content: string): { width: number; marker: Omit<ListMarker, 'indent'> } | null {
  const width = listMarkerEnd(content, 0);
  const next = content[width];
  if (width === 0 || (next !== undefined && next !== ' ' && next !== '\t')) return null;
  const ordered = width > 1;
  const delimiter = content[width - 1] as string;
  return { width, marker: { ordered, delimiter, start: ordered ? Number(content.slice(0, width - 1)) : 1 } };
}
