// A feed as an XML tree, with missing end tags repaired.
import { type ChildNode, type Element, isTag } from 'domhandler';
import { rawText } from '../../../domain/html/elements.ts';
import { buildTree, type TreeRules } from '../../../domain/html/tree.ts';

const ENTRIES = new Set(['item', 'entry', 'rss:item', 'atom:entry']);
// Elements that hold only text: when one begins inside another, the other was never closed.
const FIELDS = new Set(
  `title link description pubdate guid id updated published modified issued created summary content content:encoded author
  category comments dc:date dc:creator dc:subject`.split(/\s+/),
);

const XML: TreeRules = {
  xml: true,
  isVoid: () => false,
  endedBy: (name, open) => {
    if (ENTRIES.has(name)) {
      const at = open.findLastIndex((element) => ENTRIES.has(element.name));
      return at < 0 ? 0 : open.length - at;
    }
    const top = open.at(-1);
    return FIELDS.has(name) && top && FIELDS.has(top.name) && !holdsMarkup(top) ? 1 : 0;
  },
  isBoundary: () => false,
};

function holdsMarkup({ attribs }: Element): boolean {
  return /xhtml|xml/i.test(attribs.type ?? '') || attribs.mode?.toLowerCase() === 'xml';
}

// Documents choose their prefixes freely, so elements are identified by namespace.
const NAMESPACES: readonly [uri: RegExp, prefix: string][] = [
  [/^http:\/\/www\.w3\.org\/2005\/atom$|^http:\/\/purl\.org\/atom\/ns#$/, 'atom'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?$/, 'content'],
  [/^http:\/\/purl\.org\/dc\/elements\/1\.[01]\/?$/, 'dc'],
  [/^http:\/\/purl\.org\/dc\/terms\/?$/, 'dcterms'],
  [/^http:\/\/search\.yahoo\.com\/mrss\/?$/, 'media'],
  [/^http:\/\/rssnamespace\.org\/feedburner\/ext\/1\.0$/, 'feedburner'],
  [/^http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#$/, 'rdf'],
  [/^http:\/\/purl\.org\/rss\/1\.0\/?$/, 'rss'],
  [/^http:\/\/www\.w3\.org\/1999\/xhtml$/, 'xhtml'],
  [/^http:\/\/www\.youtube\.com\/xml\/schemas\/2015$/, 'yt'],
];

export interface XmlFeed {
  source: string;
  root: Element;
  // Elements that were left open because the text breaks off.
  open: ReadonlySet<Element>;
  repaired: boolean;
  prefixes: ReadonlyMap<string, string>;
}

export function readXml(source: string): XmlFeed | null {
  const tree = buildTree(source, XML);
  const root = tree.document.children.find(isTag);
  if (!root) return null;
  const declared = [root, ...root.children.filter(isTag).slice(0, 3)].flatMap(({ attribs }) => Object.entries(attribs));
  const prefixes = new Map<string, string>();
  for (const [name, value] of declared) {
    const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : null;
    const known = NAMESPACES.find(([uri]) => uri.test(value.trim().toLowerCase()))?.[1];
    if (prefix !== null && known && !prefixes.has(prefix)) prefixes.set(prefix, known);
  }
  return { source, root, open: new Set(tree.open), repaired: tree.repaired, prefixes };
}

// `content:encoded` for the element of that meaning, whatever the document calls it; the feed's own names are bare.
export function fieldName({ prefixes, root }: XmlFeed, element: Element): string {
  const [prefix, local] = splitName(element.name);
  const known = prefix === '' ? '' : (prefixes.get(prefix) ?? prefix);
  const own = splitName(root.name)[0];
  return known === '' || known === 'rss' || (own !== '' && own === prefix) ? local : `${known}:${local}`;
}

export function splitName(name: string): [prefix: string, local: string] {
  const at = name.indexOf(':');
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)];
}

export type XmlFields = ReadonlyMap<string, readonly Element[]>;

export function fieldsOf(feed: XmlFeed, element: Element): XmlFields {
  const fields = new Map<string, Element[]>();
  for (const child of element.children) {
    if (!isTag(child)) continue;
    const name = fieldName(feed, child);
    const list = fields.get(name);
    if (list) list.push(child);
    else fields.set(name, [child]);
  }
  return fields;
}

export function textOf(element: Element | undefined): string {
  return element ? rawText(element.children as ChildNode[], () => false).trim() : '';
}

// The markup inside an element as it was written.
export function innerSource({ source }: XmlFeed, { startIndex, endIndex }: Element): string {
  return source.slice(startIndex ?? 0, endIndex ?? 0);
}
