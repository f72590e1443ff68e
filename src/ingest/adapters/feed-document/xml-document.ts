// RSS 0.9x, 1.0 and 2.0 and Atom 0.3 and 1.0 as neutral entries.
import { type Element, isTag } from 'domhandler';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { decodeText } from '../../../domain/html/decode.ts';
import { isMediaFile, type MediaCandidate } from '../../../domain/html/media.ts';
import { type Body, type FeedDocument, type FeedEntry, texts } from './entry.ts';
import {
  fieldName,
  fieldsOf,
  innerSource,
  readXml,
  splitName,
  textOf,
  type XmlFeed,
  type XmlFields,
} from './xml-tree.ts';

// Null for XML of another kind.
export function readXmlDocument(source: string): FeedDocument | null {
  const feed = readXml(source);
  const kind = feed && rootKind(feed);
  if (!feed || !kind) return null;
  const channel = kind === 'atom' ? feed.root : (childNamed(feed, feed.root, 'channel') ?? feed.root);
  const fields = fieldsOf(feed, channel);
  const found = [...new Set([...entriesIn(feed, channel), ...entriesIn(feed, feed.root)])];
  const complete = found.filter((entry) => !feed.open.has(entry));
  const outerBase = innerBaseOf(feed.root, innerBaseOf(channel, null));
  return {
    feedType: kind,
    title: textOf(fields.get('title')?.[0]) || null,
    siteUrl: siteOf(kind, fields),
    entries: complete.map((entry) => readEntry(feed, entry, outerBase)),
    cutOff: feed.open.size > 0,
    notes: feed.repaired ? ['unclosed tags closed'] : [],
  };
}

function rootKind({ root }: XmlFeed): 'rss' | 'atom' | null {
  const [, local] = splitName(root.name);
  if (local === 'feed') return 'atom';
  return local === 'rss' || local === 'rdf' || local === 'channel' ? 'rss' : null;
}

function entriesIn(feed: XmlFeed, parent: Element): Element[] {
  return parent.children.filter(
    (child): child is Element => isTag(child) && ['item', 'entry'].includes(fieldName(feed, child)),
  );
}

function childNamed(feed: XmlFeed, parent: Element, name: string): Element | undefined {
  return parent.children.find((child): child is Element => isTag(child) && fieldName(feed, child) === name);
}

function siteOf(kind: 'rss' | 'atom', fields: XmlFields): string | null {
  if (kind === 'atom') return alternates(fields.get('link'))[0] ?? null;
  const links = fields.get('link') ?? [];
  return texts(...links.map((link) => textOf(link) || link.attribs.href))[0] ?? null;
}

function readEntry(feed: XmlFeed, element: Element, outerBase: string | null): FeedEntry {
  const fields = fieldsOf(feed, element);
  const first = (name: string) => fields.get(name)?.[0];
  const all = (...names: string[]) => names.flatMap((name) => (fields.get(name) ?? []).map(textOf));
  const guid = first('guid') ?? first('id');
  const links = fields.get('link') ?? [];
  const bodies = ['content:encoded', 'content', 'atom:content', 'xhtml:body', 'description', 'summary', 'atom:summary'];
  return {
    title: textBody(feed, first('title') ?? first('dc:title') ?? first('media:title')),
    addresses: texts(
      ...all('feedburner:origlink'),
      ...alternates([...links, ...(fields.get('atom:link') ?? [])]),
      ...links.map(textOf),
    ),
    guid: textOf(guid) || element.attribs['rdf:about'] || null,
    guidIsAddress: guid?.attribs.ispermalink?.trim().toLowerCase() !== 'false',
    bodies: bodies.flatMap((name) => (fields.get(name) ?? []).flatMap((field) => bodyOf(feed, field) ?? [])),
    published: texts(...all('published', 'pubdate', 'dc:date', 'issued', 'atom:published', 'dcterms:issued')),
    updated: texts(...all('updated', 'modified', 'atom:updated', 'dcterms:modified')),
    categories: texts(...(fields.get('category') ?? []).map(categoryText), ...all('dc:subject')),
    media: mediaOf(feed, fields),
    xmlBase: innerBaseOf(element, outerBase),
    extra: Object.fromEntries(['yt:videoid', 'media:description'].flatMap((name) => extraOf(feed, fields, name))),
  };
}

// Atom links that lead to the item itself, pages before other forms.
function alternates(links: readonly Element[] = []): string[] {
  const chosen = links.filter(({ attribs }) => attribs.href && /^(?:alternate)?$/i.test(attribs.rel?.trim() ?? ''));
  const pages = chosen.filter(({ attribs }) => /html/i.test(attribs.type ?? 'text/html'));
  return [...pages, ...chosen].map(({ attribs }) => attribs.href ?? '');
}

function categoryText(element: Element): string {
  return element.attribs.label || element.attribs.term || textOf(element);
}

function extraOf(feed: XmlFeed, fields: XmlFields, name: string): [string, string][] {
  const groups = fields.get('media:group') ?? [];
  const found = fields.get(name)?.[0] ?? groups.map((group) => childNamed(feed, group, name)).find(Boolean);
  return found ? [[name, textOf(found)]] : [];
}

function innerBaseOf(element: Element, outer: string | null): string | null {
  const stated = element.attribs['xml:base'];
  // Without an absolute base the address of the feed completes it later.
  return stated === undefined ? outer : (absoluteUrl(stated, outer) ?? stated);
}

const MARKUP_TYPE = /^(?:xhtml|application\/xhtml\+xml|(?:application|text)\/xml)$/;
const HTML_TYPE = /^(?:html|text\/html)$/;
const TEXT_TYPE = /^text(?:\/|$)/;

// The content of a field by its type; null for an attachment of another kind, or a reference to one.
function bodyOf(feed: XmlFeed, element: Element): Body | null {
  const type = element.attribs.type?.trim().toLowerCase().split(';', 1)[0];
  const mode = element.attribs.mode?.trim().toLowerCase();
  if (mode === 'base64') return filled(decodeText(Buffer.from(textOf(element), 'base64')), 'either');
  if (mode === 'xml' || (type && MARKUP_TYPE.test(type)) || element.children.some(isTag)) {
    const isPlain = mode === 'xml' && type !== undefined && TEXT_TYPE.test(type) && !HTML_TYPE.test(type);
    return isPlain ? filled(textOf(element), 'text') : filled(innerSource(feed, element), 'html');
  }
  if (type === undefined || HTML_TYPE.test(type) || mode === 'escaped') return filled(textOf(element), 'either');
  return TEXT_TYPE.test(type) ? filled(textOf(element), 'text') : null;
}

function textBody(feed: XmlFeed, element: Element | undefined): Body | null {
  return element ? bodyOf(feed, element) : null;
}

function filled(text: string, kind: Body['kind']): Body | null {
  return text.trim() === '' ? null : { text, kind };
}

// Attached pictures and films: enclosures and the media elements of Yahoo's extension.
function mediaOf(feed: XmlFeed, fields: XmlFields): MediaCandidate[] {
  const groups = (fields.get('media:group') ?? []).map((group) => fieldsOf(feed, group));
  const enclosures = [...(fields.get('enclosure') ?? []), ...enclosureLinks(fields)];
  return [
    ...enclosures.flatMap((element) => fileOf(element.attribs.url ?? element.attribs.href, element.attribs.type)),
    ...[fields, ...groups].flatMap((holder) => mediaElements(feed, holder)),
  ];
}

function enclosureLinks(fields: XmlFields): Element[] {
  const links = [...(fields.get('link') ?? []), ...(fields.get('atom:link') ?? [])];
  return links.filter(({ attribs }) => attribs.rel?.trim().toLowerCase() === 'enclosure');
}

function mediaElements(feed: XmlFeed, holder: XmlFields): MediaCandidate[] {
  const contents = (holder.get('media:content') ?? []).flatMap((element) => {
    const { url, type, medium } = element.attribs;
    const inner = fieldsOf(feed, element);
    const stated = type ?? (medium === 'image' || medium === 'video' ? `${medium}/*` : undefined);
    const alt = textOf(inner.get('media:title')?.[0] ?? inner.get('media:description')?.[0]).slice(0, 300);
    return [...fileOf(url, stated, alt), ...thumbnails(inner)];
  });
  return [...contents, ...thumbnails(holder)];
}

function thumbnails(holder: XmlFields): MediaCandidate[] {
  return (holder.get('media:thumbnail') ?? []).flatMap(({ attribs }) => fileOf(attribs.url, 'image/*'));
}

function fileOf(url: string | undefined, type: string | undefined, alt?: string): MediaCandidate[] {
  const address = url?.trim() ?? '';
  return address !== '' && isMediaFile(address, type) ? [{ url: address, ...(alt ? { alt } : {}) }] : [];
}
