// Plain text and links of HTML and markdown.
import { rawText } from './elements.ts';
import { parseHtml } from './parse.ts';

const MARKUP =
  /<\/?(?:a|abbr|b|bdi|big|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|li|mark|p|q|s|samp|small|span|strong|sub|sup|time|tt|u|ul|var|wbr)(?=[\s/>])[^<>]*>|<!--|&(?:#\d|#x|[a-z])/i;
const LINK = /\]\(\s{0,3}<?(?<url>https?:\/\/[^\s()<>]{1,2048}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,500})?)/gi;
const BARE = /<(?<url>https?:\/\/[^\s<>]{1,2048})>|(?<![(<\w"'=])(?<bare>https?:\/\/[^\s<>()"'`\]]{3,2048})/gi;
const IMAGE = /!\[(?:\\.|[^[\]\n\\]){0,500}\]\([^()\s]{0,2048}\)/g;
const MAX_LINKS = 200;

// One line of text without markup. Only tags that a title may have count as markup, so that `Vec<T>` stays as it is.
export function lineText(text: string): string {
  const plain = MARKUP.test(text) ? rawText(parseHtml(text).children) : text;
  return oneLine(plain);
}

export function oneLine(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}

// The http and https URLs that a markdown body links to, each once and without images.
export function linksIn(markdown: string): string[] {
  const found = new Set<string>();
  const text = markdown.replace(IMAGE, '');
  for (const match of [...matches(LINK, text), ...matches(BARE, text)]) {
    const written = match.groups?.url ?? match.groups?.bare?.replace(/[.,;:!?*_]+$/, '');
    const url = written === undefined ? null : URL.parse(written);
    if (url) found.add(url.href);
  }
  return [...found].slice(0, MAX_LINKS);
}

function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  return text
    .matchAll(pattern)
    .take(MAX_LINKS * 5)
    .toArray();
}
