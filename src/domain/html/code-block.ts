// Code blocks: a `pre` element → fenced code.
import { type Element, isTag } from 'domhandler';
import { elementsOf, rawText, tagName } from './elements.ts';
import { backticksAround } from './escape.ts';

const LANGUAGE = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,40})(?=\s|$)/i;
const NOT_CODE = new Set(['script', 'style', 'template', 'button']);
// Syntax highlighters wrap the block in elements of their own, which may have the class with the language.
const WRAPPERS = 3;

// The lines of the fenced code. The language is taken from the classes of the elements.
export function fencedCode(element: Element): string[] {
  // A line end directly behind the opening tag is no part of the content in HTML, and one at the end is written with the
  // fence.
  const code = rawText(element.children, (child) => NOT_CODE.has(tagName(child)))
    .replace(/\r\n?/g, '\n')
    .replace(/^\n/, '')
    .replace(/\n$/, '');
  if (code.trim() === '') return [];
  const fence = backticksAround(code, 3);
  return [fence + languageOf(element), ...code.split('\n'), fence];
}

function languageOf(element: Element): string {
  for (const inner of elementsOf([element])) {
    const language = languageIn(inner);
    if (language) return language;
    if (tagName(inner) === 'code') break;
  }
  let up = element.parent;
  for (let level = 0; level < WRAPPERS && up && isTag(up); level += 1, up = up.parent) {
    const language = languageIn(up);
    if (language) return language;
  }
  return '';
}

function languageIn({ attribs }: Element): string | undefined {
  return LANGUAGE.exec((attribs.class ?? '').slice(0, 500))?.[1]?.toLowerCase();
}
