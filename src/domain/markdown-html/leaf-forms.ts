// How a line begins a block that is no container. Every form looks at one line and costs no more than its length.
import type { ListMarker } from './block-tree.ts';

export function atxHeading(content: string): { level: number; text: string } | null {
  let level = 0;
  while (content.charCodeAt(level) === 0x23) level += 1;
  const after = content.charCodeAt(level);
  if (level === 0 || level > 6 || (level < content.length && after !== 0x20 && after !== 0x09)) return null;
  return { level, text: withoutClosingMarks(content.slice(level).trim()) };
}

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x23) end -= 1;
  if (end === text.length) return text;
  if (end === 0) return '';
  const before = text.charCodeAt(end - 1);
  return before === 0x20 || before === 0x09 ? text.slice(0, end).trimEnd() : text;
}

export function setextLevel(content: string): 1 | 2 | null {
  const mark = content[0];
  if (mark !== '=' && mark !== '-') return null;
  let at = 0;
  while (content[at] === mark) at += 1;
  if (content.slice(at).trim() !== '') return null;
  return mark === '=' ? 1 : 2;
}

export function isRule(content: string): boolean {
  const mark = content[0];
  if (mark !== '*' && mark !== '-' && mark !== '_') return false;
  let count = 0;
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at];
    if (character === mark) count += 1;
    else if (character !== ' ' && character !== '\t') return false;
  }
  return count >= 3;
}

export function openingFence(content: string): { character: string; length: number; info: string } | null {
  const character = content[0];
  if (character !== '`' && character !== '~') return null;
  let length = 0;
  while (content[length] === character) length += 1;
  const info = content.slice(length);
  return length < 3 || (character === '`' && info.includes('`')) ? null : { character, length, info: info.trim() };
}

export function closesFence(content: string, fence: { character: string; length: number }): boolean {
  let length = 0;
  while (content[length] === fence.character) length += 1;
  return length >= fence.length && content.slice(length).trim() === '';
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

// The end of the HTML block that the line begins: a form, or null for a blank line; undefined when it begins none.
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

// `- `, `12. ` and their like at the beginning of a line; `width` is that of the mark without the blanks behind it.
export function readListMarker(content: string): { width: number; marker: Omit<ListMarker, 'indent'> } | null {
  const match = /^(?:[-+*]|(?<number>\d{1,9})(?<delimiter>[.)]))(?=[ \t]|$)/.exec(content);
  if (match === null) return null;
  const { number, delimiter = content[0] as string } = match.groups ?? {};
  const ordered = number !== undefined;
  return { width: match[0].length, marker: { ordered, delimiter, start: ordered ? Number(number) : 1 } };
}
