import { type Element, isTag } from 'domhandler';
import { decodeText } from '../../../domain/html/decode.ts';
import type { Body } from './entry.ts';
import { innerSource, textOf, type XmlFeed } from './xml-tree.ts';

const MARKUP_TYPE = /^(?:xhtml|application\/xhtml\+xml|(?:application|text)\/xml)$/;
const HTML_TYPE = /^(?:html|text\/html)$/;
const TEXT_TYPE = /^text(?:\/|$)/;

/** The content of a field by its type; null for an attachment of another kind, or a reference to one. */
export function bodyOf(feed: XmlFeed, element: Element): Body | null {
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

export function textBody(feed: XmlFeed, element: Element | undefined): Body | null {
  return element ? bodyOf(feed, element) : null;
}

function filled(text: string, kind: Body['kind']): Body | null {
  return text.trim() === '' ? null : { text, kind };
}
