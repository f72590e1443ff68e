// The plain text of a heading.
import { withoutEmoji } from '../clean-text.ts';
import { decodeEntities } from '../markdown/entities.ts';

const INLINE_SYNTAX = /[\\<[\]`*_~&]/;
const LINK_TARGET = /\((?:[^()]|\([^()]*\))*\)/y;
const LINK_REFERENCE = /\[(?!yanked\])[^[\]]*\]/iy;
const TAG = /<(?:[/!]|(?=[a-z]))[^<>]*>/iy;
const YANKED = /[[(]\s*yanked\s*[\])]/gi;
const PLAIN_WORD = /^[a-z\d][a-z\d.+-]*(?<=[a-z\d])$/i;
const SEPARATORS = '\\s\\-\u2010-\u2015/|:;,=\u00b7\u2022';
const LEADING = new RegExp(`^[${SEPARATORS}]+`);
const MAX_NAME_LENGTH = 70;
const CLOSING_NAME = /(?<![\p{L}\p{N}_])__[a-z][A-Za-z\d]{0,60}__$/u;
const CLOSING = new RegExp(`[${SEPARATORS}.!_]`);

// Inline markdown as text: labels of links without destinations; no images, tags, or delimiters of code and emphasis.
export function renderInline(source: string): string {
  if (!INLINE_SYNTAX.test(source)) return source;
  let text = '';
  // The position of each open bracket in the output, and whether it began an image.
  const open: { at: number; image: boolean }[] = [];
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '\\' && /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '')) {
      text += source[++at]?.replace('_', LITERAL);
    } else if (char === '<') {
      const end = matchEnd(TAG, source, at);
      if (end === null) text += char;
      else at = end - 1;
    } else if (char === '[') {
      const image = text.endsWith('!') && source[at - 1] === '!';
      open.push({ at: text.length, image });
      text += char;
    } else if (char === ']') {
      const end = matchEnd(LINK_TARGET, source, at + 1) ?? matchEnd(LINK_REFERENCE, source, at + 1);
      const start = open.pop();
      if (end === null || !start) {
        text += char;
      } else {
        text = start.image ? text.slice(0, start.at - 1) : text.slice(0, start.at) + text.slice(start.at + 1);
        at = end - 1;
      }
    } else if (char === '`') {
      const run = /^`+/.exec(source.slice(at, at + MAX_RUN_LENGTH))?.[0] ?? char;
      const end = run.length < MAX_RUN_LENGTH ? source.indexOf(run, at + run.length) : -1;
      if (end < 0) at += run.length - 1;
      else {
        text += source.slice(at + run.length, end).replaceAll('_', LITERAL);
        at = end + run.length - 1;
      }
    } else if (char !== '*') {
      text += char;
    }
  }
  return decodeEntities(text.replace(/~~/g, ''))
    .replace(UNDERSCORES, (run, at: number, whole: string) =>
      /[a-z]/.test(run) || isInsideWord(whole, at, at + run.length) ? run : '',
    )
    .replaceAll(LITERAL, '_');
}

// Names such as `__proto__` are no emphasis, while `__Fixes__` and `__1.2.0__` are.
const UNDERSCORES = /(?<![\p{L}\p{N}_])__[a-z][A-Za-z\d]*__(?![\p{L}\p{N}_])|_+/gu;
// Stands for an underscore that is no delimiter.
const LITERAL = '\ue000';
const MAX_RUN_LENGTH = 8;

// Underscores inside a word are no emphasis.
function isInsideWord(text: string, start: number, end: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[start - 1] ?? '') && /[\p{L}\p{N}]/u.test(text[end] ?? '');
}

interface HeadingText {
  text: string;
  yanked: boolean;
}

// The words of a heading without brackets, emoji, closing punctuation and `[YANKED]`.
export function headingText(rendered: string): HeadingText {
  if (PLAIN_WORD.test(rendered)) return { text: rendered, yanked: false };
  const text = rendered.replace(YANKED, ' ');
  const words = withoutEmoji(text.replace(/\{#[^{}]*\}\s*$/, '').replace(/[[\]]/g, '')).replace(/\s+/g, ' ');
  return { text: trimEdges(words), yanked: text !== rendered };
}

// Removes the separators and brackets that are left around a removed date, and closing punctuation.
export function trimEdges(text: string): string {
  const start = text.replace(/\(\s*\)/g, ' ').replace(LEADING, '');
  let end = start.length;
  while (end > 0 && CLOSING.test(start[end - 1] ?? '') && !endsWithName(start, end)) end--;
  const trimmed = start.slice(0, end);
  return /^\([^()]*\)$/.test(trimmed) ? trimEdges(trimmed.slice(1, -1)) : trimmed;
}

function endsWithName(text: string, end: number): boolean {
  return text[end - 1] === '_' && CLOSING_NAME.test(text.slice(Math.max(0, end - MAX_NAME_LENGTH), end));
}

function matchEnd(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}
