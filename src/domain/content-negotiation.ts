// Reads `Accept`, `Accept-Encoding` and `If-None-Match`.
type Preference = { name: string; parameters: string[]; quality: number; position: number };
type AcceptMatch = { quality: number; specificity: number; position: number };

// The offered media type that an `Accept` header prefers; the first one when none is acceptable.
export function negotiate(accept: string | undefined, offered: readonly [string, ...string[]]): string {
  const ranges = preferences(accept).filter(({ parameters }) => parameters.every(isCharset));
  let best = offered[0];
  let bestMatch: AcceptMatch | null = null;
  for (const type of offered) {
    const match = mostSpecific(ranges, type.toLowerCase());
    if (match === null || match.quality === 0) continue;
    if (bestMatch === null || isBetter(match, bestMatch)) {
      best = type;
      bestMatch = match;
    }
  }
  return best;
}

// The content coding to apply, or null to send the body as it is.
export function preferredEncoding(header: string | undefined): 'br' | 'gzip' | null {
  const qualities = new Map<string, number>();
  for (const { name, quality } of preferences(header)) {
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (!qualities.has(coding)) qualities.set(coding, quality);
  }
  const any = qualities.get('*') ?? 0;
  const br = qualities.get('br') ?? any;
  const gzip = qualities.get('gzip') ?? any;
  const coded = Math.max(br, gzip);
  if (coded === 0 || (qualities.get('identity') ?? 0) > coded) return null;
  return br >= gzip ? 'br' : 'gzip';
}

// `etag` is the strong tag of the uncoded body, with its quotes.
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const open = etag.slice(0, -1);
  // Suffixes are added to our tag and never cut from the caller's, because a hash may itself end in `-br`.
  const accepted = [etag, `${open}-gzip"`, `${open}-br"`];
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((candidate) => accepted.includes(candidate));
}

function mostSpecific(ranges: readonly Preference[], type: string): AcceptMatch | null {
  const family = `${type.split('/', 1)[0]}/*`;
  let best: AcceptMatch | null = null;
  for (const { name, quality, position } of ranges) {
    const specificity = name === type ? 3 : name === family ? 2 : name === '*/*' || name === '*' ? 1 : 0;
    if (specificity > (best?.specificity ?? 0)) best = { quality, specificity, position };
  }
  return best;
}

function isBetter(a: AcceptMatch, b: AcceptMatch): boolean {
  if (a.quality !== b.quality) return a.quality > b.quality;
  if (a.specificity !== b.specificity) return a.specificity > b.specificity;
  return a.position < b.position;
}

// What is offered is UTF-8 text without further parameters, so any other parameter asks for something else.
function isCharset(parameter: string): boolean {
  return parameter.startsWith('charset=');
}

function preferences(header: string | undefined): Preference[] {
  const list: Preference[] = [];
  for (const [position, element] of splitOutsideQuotes(header ?? '', ',').entries()) {
    const [name = '', ...parts] = splitOutsideQuotes(element, ';').map((part) => part.trim().toLowerCase());
    const weight = parts.find((part) => part.startsWith('q='));
    const quality = weight === undefined ? 1 : Number.parseFloat(weight.slice(2));
    if (name === '' || !(quality >= 0)) continue;
    const parameters = parts.filter((part) => part !== '' && part !== weight);
    list.push({ name, parameters, quality: Math.min(quality, 1), position });
  }
  return list;
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    if (quoted && text[i] === '\\') i += 1;
    else if (text[i] === '"') quoted = !quoted;
    else if (!quoted && text[i] === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
