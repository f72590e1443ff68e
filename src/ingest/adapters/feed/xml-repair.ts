// Repairs the text of a feed before it is parsed as XML.
import { rawText } from '../../../domain/html/elements.ts';
import { parseHtml } from '../../../domain/html/parse.ts';

interface RepairedXml {
  text: string;
  notes: string[];
}

const START = /<\?xml[\s?]|<!doctype\s+(?:rss|rdf|feed)|<(?:[\w.-]{1,40}:)?(?:rss|rdf|feed|channel)[\s>]/i;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const REFERENCES =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|&(?:#x?[0-9a-f]{1,7};|(?<name>[a-z][a-z0-9]{0,31});)?/gi;
const XML_NAMES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

// Null when nothing in the text begins a feed.
export function repairXml(source: string): RepairedXml | null {
  const start = source.search(START);
  if (start < 0) return null;
  const notes = new Set<string>();
  if (source.slice(0, start).trim() !== '') notes.add('leading junk skipped');
  let text = source.slice(start).replace(CONTROL, () => {
    notes.add('control characters removed');
    return '';
  });
  text = withoutDoctype(text).replace(REFERENCES, (match, ...rest) => {
    if (!match.startsWith('&')) return match;
    if (match === '&') {
      notes.add('bare ampersands kept as text');
      return '&amp;';
    }
    const { name } = rest.at(-1) as { name?: string };
    if (name === undefined || XML_NAMES.has(name)) return match;
    const character = namedCharacter(name);
    notes.add(character === null ? 'unknown entities kept as text' : 'entities of HTML read');
    return character ?? `&amp;${name};`;
  });
  return { text, notes: [...notes] };
}

// The doctype is removed, so that a document can neither define nor load entities.
function withoutDoctype(text: string): string {
  const start = text.search(/<!doctype/i);
  if (start < 0) return text;
  const bracket = text.indexOf('[', start);
  const plainEnd = text.indexOf('>', start);
  const declares = bracket >= 0 && bracket < plainEnd;
  const close = declares ? text.indexOf(']', bracket) : start;
  const end = close < 0 ? plainEnd : text.indexOf('>', close);
  return end < 0 ? text : text.slice(0, start) + text.slice(end + 1);
}

const known = new Map<string, string | null>();

function namedCharacter(name: string): string | null {
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  const text = rawText(parseHtml(`&${name};`).children);
  const character = text.startsWith('&') || text.endsWith(';') ? null : text;
  // Names come from the document, so only known ones are cached: their number is bounded.
  if (character !== null) known.set(name, character);
  return character;
}
