// A hash of the content of a page that ignores what changes with every request: scripts, styles, nonces, form fields, clocks.

import { createHash } from 'node:crypto';
import { type ChildNode, isTag, isText } from 'domhandler';
import { parseHtml } from '../../../domain/html/parse.ts';
import { threadTask } from '../../../threads/task.ts';

const SKIPPED = new Set(['style', 'template', 'noscript', 'input', 'meta', 'link', 'svg', 'iframe']);
const DATA = /^application\/(?:ld\+)?json\b/i;
// Other attributes (classes, nonces, tokens) are not part of the content.
const HASHED_ATTRIBUTES = ['href', 'id', 'datetime', 'alt'];
const STAMPS =
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?|\b\d{10}(?:\d{3})?\b|\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\b|\b(?:an?|\d{1,3}) (?:second|minute|hour|day|week|month|year)s? ago\b|\b(?:today|yesterday|just now)\b/gi;

export function pageHash(html: string): string {
  const hash = createHash('sha256');
  const waiting: ChildNode[] = parseHtml(html).children.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isText(node)) {
      hash.update(`${withoutStamps(node.data)} `);
      continue;
    }
    if (!isTag(node) || SKIPPED.has(node.name)) continue;
    // Scripts that hold JSON are hashed, because some pages store their text there.
    if (node.name === 'script' && !DATA.test(node.attribs.type?.trim() ?? '')) continue;
    hash.update(`<${node.name}${HASHED_ATTRIBUTES.map((name) => attribute(name, node.attribs[name])).join('')}>`);
    for (let at = node.children.length - 1; at >= 0; at -= 1) waiting.push(node.children[at] as ChildNode);
  }
  return hash.digest('hex');
}

// The hash of a text that is no HTML page.
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function attribute(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  return ` ${name}=${name === 'href' ? value.replace(/[?#].*$/s, '') : value}`;
}

function withoutStamps(text: string): string {
  return text.replace(/\s+/g, ' ').replace(STAMPS, '').trim();
}

export const TEXT_HASHING = threadTask(import.meta.url, textHash);
export const PAGE_HASHING = threadTask(import.meta.url, pageHash);
