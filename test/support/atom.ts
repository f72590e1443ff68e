// Checks a feed document against RFC 4287 and what feed readers rely on. An empty list means that it is valid.
import { type CheerioAPI, load } from 'cheerio';
import type { Element } from 'domhandler';

const NAMESPACE = 'http://www.w3.org/2005/Atom';
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:;.*)?$/;
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

// How often each child element may occur in a feed and in an entry.
const FEED = 'author+ category* contributor* generator? icon? id1 link* logo? rights? subtitle? title1 updated1 entry*';
const ENTRY = 'author* category* content? contributor* id1 link* published? rights? source? summary? title1 updated1';
const TEXT = new Set(['title', 'subtitle', 'summary', 'rights']);

const UNSAFE = 'script, style, iframe, object, embed, form, input, base, meta, link, svg, math';
const ADDRESSES = ['href', 'src', 'poster'];

export function atomFaults(xml: string): string[] {
  const faults: string[] = [];
  const $ = load(xml, { xml: true });
  const fault = (where: Element | undefined, problem: string) =>
    faults.push(`${where ? pathOf($, where) : 'document'}: ${problem}`);
  if (!xml.startsWith('<?xml version="1.0" encoding="utf-8"?>')) fault(undefined, 'lacks its declaration');
  if (xml.includes('<![CDATA[')) fault(undefined, 'wraps text in CDATA');
  if (FORBIDDEN.test(xml)) fault(undefined, 'has a character that XML forbids');
  const roots = $.root().children().toArray();
  const [feed] = roots;
  if (roots.length !== 1 || feed?.name !== 'feed' || feed.attribs.xmlns !== NAMESPACE) {
    return [...faults, 'document: the root is not an Atom feed'];
  }
  countChildren($, feed, FEED, fault);
  const entries = $(feed).children('entry').toArray();
  for (const entry of entries) {
    countChildren($, entry, ENTRY, fault);
    const hasContent = $(entry).children('content').length > 0;
    if (!hasContent && $(entry).children('link[rel=alternate]').length === 0)
      fault(entry, 'says neither what nor where');
    if ($(entry).children('author').length + $(feed).children('author').length === 0) fault(entry, 'has no author');
    const [published, updated] = ['published', 'updated'].map((name) => Date.parse($(entry).children(name).text()));
    if (published !== undefined && updated !== undefined && updated < published)
      fault(entry, 'was changed before it came');
  }
  if (!$(feed).children('link[rel=self]').attr('href')) fault(feed, 'has no link to itself');
  const ids = entries.map((entry) => $(entry).children('id').text());
  if (new Set(ids).size !== ids.length) fault(feed, 'has an id twice');
  const times = entries.map((entry) => Date.parse($(entry).children('updated').text()));
  const newest = Math.max(...times);
  if (entries.length > 0 && Date.parse($(feed).children('updated').text()) !== newest) {
    fault(feed, 'was not updated with its newest entry');
  }
  for (const element of [feed, ...entries]) checkLinks($, element, fault);
  for (const element of $('*').toArray()) checkElement($, element as Element, fault);
  return faults;
}

type Fault = (where: Element | undefined, problem: string) => void;

function countChildren($: CheerioAPI, parent: Element, model: string, fault: Fault): void {
  const allowed = new Map(model.split(' ').map((rule) => [rule.slice(0, -1), rule.slice(-1)]));
  const children = $(parent).children().toArray();
  for (const child of children) if (!allowed.has(child.name)) fault(child, 'does not belong here');
  for (const [name, mark] of allowed) {
    const count = children.filter((child) => child.name === name).length;
    if ((mark === '1' && count !== 1) || (mark === '?' && count > 1) || (mark === '+' && count === 0)) {
      fault(parent, `has ${count} of ${name}`);
    }
  }
}

function checkLinks($: CheerioAPI, parent: Element, fault: Fault): void {
  const seen = new Set<string>();
  for (const link of $(parent).children('link').toArray()) {
    const { rel = 'alternate', href = '', type = '', hreflang = '' } = link.attribs;
    if (!IRI.test(href)) fault(link, `leads to ${JSON.stringify(href)}`);
    if (type !== '' && !MEDIA_TYPE.test(type)) fault(link, 'has no media type');
    const key = `${type} ${hreflang}`;
    if (rel === 'alternate' && seen.has(key)) fault(link, 'is a second alternate of its type');
    if (rel === 'alternate') seen.add(key);
  }
}

function checkElement($: CheerioAPI, element: Element, fault: Fault): void {
  const text = $(element).text();
  const { name, attribs } = element;
  if ((name === 'id' || name === 'icon' || name === 'logo') && !IRI.test(text)) fault(element, 'is no IRI');
  if ((name === 'updated' || name === 'published') && !(DATE.test(text) && Date.parse(text)))
    fault(element, 'is no date');
  if (name === 'author' || name === 'contributor') countChildren($, element, 'name1 uri? email?', fault);
  if (name === 'name' && text.trim() === '') fault(element, 'is empty');
  if (name === 'category' && !attribs.term) fault(element, 'has no term');
  if (name === 'category' && attribs.scheme !== undefined && !IRI.test(attribs.scheme)) fault(element, 'has no scheme');
  if (!TEXT.has(name) && name !== 'content') return;
  if (!['text', 'html', undefined].includes(attribs.type)) fault(element, `is of the type ${attribs.type}`);
  if ($(element).children().length > 0) fault(element, 'has markup that is not escaped');
  if (name === 'title' && text.trim() === '') fault(element, 'is empty');
  if (attribs.type === 'html') checkHtml(text, (problem) => fault(element, problem));
}

// Finds what feed readers would drop or run: scripts, styles, handlers, and relative URLs.
function checkHtml(html: string, fault: (problem: string) => void): void {
  const $ = load(html, null, false);
  if ($(UNSAFE).length > 0) fault(`has the element ${$(UNSAFE)[0]?.name}`);
  for (const element of $('*').toArray() as Element[]) {
    for (const [name, value] of Object.entries(element.attribs)) {
      if (/^(?:on|style$|class$|id$)/i.test(name)) fault(`has the attribute ${name}`);
      const isAddress = ADDRESSES.includes(name);
      if (isAddress && !/^(?:https?:\/\/|mailto:)/i.test(value)) fault(`has the address ${JSON.stringify(value)}`);
    }
  }
}

function pathOf($: CheerioAPI, element: Element): string {
  const entry = $(element).closest('entry').children('id').text();
  return [entry, element.name].filter(Boolean).join(' ');
}
