// Writes Atom documents (RFC 4287).

export interface AtomFeed {
  id: string;
  title: string;
  subtitle?: string | null;
  updated: string;
  self: string;
  alternate: string;
  next?: string | null;
  author: string;
  icon?: string | null;
  generator: { name: string; version: string };
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  id: string;
  title: string;
  published: string | null;
  updated: string;
  alternate: string;
  related: string | null;
  author: string;
  categories: readonly { term: string; scheme?: string; label?: string }[];
  summary: string | null;
  // HTML that is not yet escaped for XML.
  content: string;
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

export function atomDocument(feed: AtomFeed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', feed.id),
    element('title', feed.title, { type: 'text' }),
    feed.subtitle ? element('subtitle', feed.subtitle, { type: 'text' }) : '',
    element('updated', feed.updated),
    link({ rel: 'self', type: 'application/atom+xml', href: feed.self }),
    link({ rel: 'alternate', type: 'text/html', href: feed.alternate }),
    feed.next ? link({ rel: 'next', type: 'application/atom+xml', href: feed.next }) : '',
    `<author>${element('name', feed.author)}</author>`,
    element('generator', feed.generator.name, { version: feed.generator.version }),
    feed.icon ? element('icon', feed.icon) : '',
    ...feed.entries.map(entryElement),
    '</feed>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
}

function entryElement(entry: AtomEntry): string {
  return [
    '<entry>',
    element('id', entry.id),
    element('title', entry.title, { type: 'text' }),
    entry.published ? element('published', entry.published) : '',
    element('updated', entry.updated),
    link({ rel: 'alternate', type: 'text/html', href: entry.alternate }),
    entry.related ? link({ rel: 'related', href: entry.related }) : '',
    `<author>${element('name', entry.author)}</author>`,
    ...entry.categories.map((category) => `<category${attributes({ ...category })}/>`),
    entry.summary ? element('summary', entry.summary, { type: 'text' }) : '',
    element('content', entry.content, { type: 'html' }),
    '</entry>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function link(values: Record<string, string>): string {
  return `<link${attributes(values)}/>`;
}

function element(name: string, text: string, values: Record<string, string> = {}): string {
  return `<${name}${attributes(values)}>${escapeXml(text)}</${name}>`;
}

function attributes(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeXml(value)}"`))
    .join('');
}

// Characters that XML 1.0 forbids, lone surrogates among them, cannot be escaped and are removed.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
