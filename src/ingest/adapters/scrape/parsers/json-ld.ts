// (a) Articles, postings, software releases and item lists that a page describes as linked data.
import { type DateReading, readDate } from '../../../../domain/dates/index.ts';
import { absoluteUrl } from '../../../../domain/html/addresses.ts';
import { elementsOf, rawText } from '../../../../domain/html/elements.ts';
import { bodyMedia } from '../../../../domain/html/media.ts';
import { lineText } from '../../../../domain/html/text.ts';
import { toMarkdown } from '../../../../domain/html/to-markdown.ts';
import { entry, type PageEntry, versionOfTitle } from '../entry.ts';
import { isObject, type PageJson, parseJson, textAt } from '../json.ts';
import type { PageDocument } from '../page-document.ts';

const ENTRY_TYPE = /^(?:(?:blog|news|social|tech)?(?:article|posting)|.*article|softwareapplication|softwarerelease)$/i;
const NESTED = [
  '@graph',
  'itemListElement',
  'item',
  'blogPost',
  'blogPosts',
  'hasPart',
  'mainEntity',
  'dataFeedElement',
];
const MAX_NODES = 5_000;

export function parseJsonLd(page: PageDocument): PageEntry[] {
  const entries = new Map<string, PageEntry>();
  const waiting: unknown[] = linkedData(page).toReversed();
  for (let visited = 0; waiting.length > 0 && visited < MAX_NODES; visited += 1) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...node.slice(0, MAX_NODES).toReversed());
    if (!isObject(node)) continue;
    const found = isEntry(node) ? readNode(page, node) : null;
    if (found) entries.set(`${found.link}\n${found.title}`, found);
    for (const key of NESTED.toReversed()) if (node[key] !== undefined) waiting.push(node[key]);
  }
  return [...entries.values()];
}

function linkedData({ nodes }: PageDocument): unknown[] {
  const found: unknown[] = [];
  for (const { name, attribs, children } of elementsOf(nodes)) {
    if (name !== 'script' || !/^application\/ld\+json\b/i.test(attribs.type?.trim() ?? '')) continue;
    const data = parseJson(rawText(children, () => false));
    if (data !== undefined) found.push(data);
  }
  return found;
}

function isEntry(node: PageJson): boolean {
  const types = [node['@type']].flat().filter((type) => typeof type === 'string');
  const named = types.some((type) => ENTRY_TYPE.test(type.replace(/^.*[/:]/, '')));
  // A software application counts as a release only when it states its version.
  const isApplication = types.some((type) => /softwareapplication$/i.test(type));
  return named && (!isApplication || textAt(node, ['softwareVersion', 'releaseNotes']) !== null);
}

function readNode(page: PageDocument, node: PageJson): PageEntry | null {
  const stated = textAt(node, ['softwareVersion', 'version']);
  const name = lineText(textAt(node, ['headline', 'name']) ?? '');
  const title = stated && name !== '' && !name.includes(stated) ? `${name} ${stated}` : name || stated;
  if (!title) return null;
  const published = dateAt(page, node, ['datePublished', 'uploadDate', 'dateCreated']);
  const link = absoluteUrl(addressOf(node) ?? undefined, page.base);
  const body = textAt(node, ['articleBody', 'releaseNotes', 'text', 'description']) ?? '';
  const options = { address: link ?? page.base };
  return entry({
    title,
    content: toMarkdown(body, options),
    version: stated ?? versionOfTitle(title, page.names),
    date: published ?? dateAt(page, node, ['dateModified']),
    dateFromUpdated: published === null,
    link,
    media: bodyMedia(body, options),
  });
}

function dateAt(page: PageDocument, node: PageJson, keys: readonly string[]): DateReading | null {
  const text = textAt(node, keys);
  return text === null ? null : readDate(text, { ...page.dates, relative: false });
}

function addressOf(node: PageJson): string | null {
  const stated = textAt(node, ['url', '@id']);
  if (stated) return stated;
  const page = node.mainEntityOfPage;
  return isObject(page) ? textAt(page, ['@id', 'url']) : typeof page === 'string' ? page : null;
}
