// Attached pictures and films: enclosures and the media elements of Yahoo's extension.
import type { Element } from 'domhandler';
import { isMediaFile, type MediaCandidate } from '../../../domain/html/media.ts';
import { type Fields, fieldsOf, textOf, type XmlFeed } from './xml-tree.ts';

export function mediaOf(feed: XmlFeed, fields: Fields): MediaCandidate[] {
  const groups = (fields.get('media:group') ?? []).map((group) => fieldsOf(feed, group));
  const enclosures = [...(fields.get('enclosure') ?? []), ...enclosureLinks(fields)];
  return [
    ...enclosures.flatMap((element) => fileOf(element.attribs.url ?? element.attribs.href, element.attribs.type)),
    ...[fields, ...groups].flatMap((holder) => mediaElements(feed, holder)),
  ];
}

function enclosureLinks(fields: Fields): Element[] {
  const links = [...(fields.get('link') ?? []), ...(fields.get('atom:link') ?? [])];
  return links.filter(({ attribs }) => attribs.rel?.trim().toLowerCase() === 'enclosure');
}

function mediaElements(feed: XmlFeed, holder: Fields): MediaCandidate[] {
  const contents = (holder.get('media:content') ?? []).flatMap((element) => {
    const { url, type, medium } = element.attribs;
    const inner = fieldsOf(feed, element);
    const stated = type ?? (medium === 'image' || medium === 'video' ? `${medium}/*` : undefined);
    const alt = textOf(inner.get('media:title')?.[0] ?? inner.get('media:description')?.[0]).slice(0, 300);
    return [...fileOf(url, stated, alt), ...thumbnails(inner)];
  });
  return [...contents, ...thumbnails(holder)];
}

function thumbnails(holder: Fields): MediaCandidate[] {
  return (holder.get('media:thumbnail') ?? []).flatMap(({ attribs }) => fileOf(attribs.url, 'image/*'));
}

function fileOf(url: string | undefined, type: string | undefined, alt?: string): MediaCandidate[] {
  const address = url?.trim() ?? '';
  return address !== '' && isMediaFile(address, type) ? [{ url: address, ...(alt ? { alt } : {}) }] : [];
}
