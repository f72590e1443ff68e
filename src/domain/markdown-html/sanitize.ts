// An allow list of elements, attributes and addresses. What is not on it leaves its text behind, or nothing at all.
import { type ChildNode, isTag, isText } from 'domhandler';
import { parseHtml } from '../html/parse.ts';

const ELEMENTS = new Set(
  `p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code kbd samp em strong del ins sub sup a img picture
  source video table caption thead tbody tfoot tr th td details summary figure figcaption abbr span`.split(/\s+/),
);
const SAME_AS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', s: 'del', strike: 'del', tt: 'code' };
const ATTRIBUTES = new Set(
  'href src srcset alt title width height colspan rowspan start open lang dir controls poster'.split(' '),
);
const VOID = new Set(['br', 'hr', 'img', 'source']);
// Their text is not meant to be read.
const SILENT = new Set(
  'script style template iframe object embed noscript svg math head title textarea select'.split(' '),
);
const MEDIA = new Set(['img', 'source', 'video']);
const DEEPEST = 100;

// Linear in the length of the text, whatever it holds: the tree of strangers' markup is never deep.
export function sanitizeHtml(html: string, base: string | null): string {
  const out: string[] = [];
  const write = (nodes: readonly ChildNode[], depth: number): void => {
    for (const node of nodes) {
      if (isText(node)) out.push(escapeHtml(node.data));
      if (!isTag(node) || SILENT.has(node.name)) continue;
      const element = SAME_AS[node.name] ?? node.name;
      const stays = ELEMENTS.has(element) && depth < DEEPEST && mayStand(element, node.attribs, base);
      if (stays) out.push(`<${element}${attributesText(element, node.attribs, base)}>`);
      if (VOID.has(element)) continue;
      write(node.children, stays ? depth + 1 : depth);
      if (stays) out.push(`</${element}>`);
    }
  };
  write(parseHtml(html).children, 0);
  return out.join('');
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

// A picture without a picture, or one from an unsafe place, is left out whole.
function mayStand(element: string, attributes: Record<string, string>, base: string | null): boolean {
  return element !== 'img' || safeAddress(attributes.src ?? '', base, true) !== null;
}

function attributesText(element: string, attributes: Record<string, string>, base: string | null): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (!ATTRIBUTES.has(name)) continue;
    const safe = safeValue(element, name, value, base);
    if (safe !== null) text += ` ${name}="${escapeHtml(safe)}"`;
  }
  if (element === 'a') text += ' rel="nofollow ugc noopener noreferrer"';
  if (element === 'video') text += ' preload="none"';
  return text;
}

function safeValue(element: string, name: string, value: string, base: string | null): string | null {
  if (name === 'href') return element === 'a' ? safeAddress(value, base, false) : null;
  if (name === 'src' || name === 'poster') return MEDIA.has(element) ? safeAddress(value, base, true) : null;
  if (name === 'srcset') return MEDIA.has(element) ? safeSourceSet(value, base) : null;
  return value;
}

function safeSourceSet(value: string, base: string | null): string | null {
  const kept = value.split(',').flatMap((part) => {
    const [address = '', size = ''] = part.trim().split(/\s+/);
    const safe = safeAddress(address, base, true);
    return safe === null ? [] : [size === '' ? safe : `${safe} ${size}`];
  });
  return kept.length === 0 ? null : kept.join(', ');
}

function safeAddress(value: string, base: string | null, media: boolean): string | null {
  let url: URL;
  try {
    url = base === null ? new URL(value) : new URL(value, base);
  } catch {
    return null;
  }
  const allowed = media ? ['https:'] : ['https:', 'http:', 'mailto:'];
  return allowed.includes(url.protocol) ? url.href : null;
}
