// robots.txt as RFC 9309 reads it, for one crawler.
export const ROBOTS_TOKEN = 'ReleaseRegistry';
export const ROBOTS_MAX_BYTES = 500 * 1024;
const MAX_CRAWL_DELAY_MS = 30_000;

interface RobotsRules {
  rules: readonly { allow: boolean; pattern: string }[];
  // The crawl delay up to a cap; null when none is stated.
  crawlDelayMs: number | null;
}

export function parseRobots(text: string, token = ROBOTS_TOKEN): RobotsRules {
  const own: MutableRules = { rules: [], crawlDelayMs: null };
  const others: MutableRules = { rules: [], crawlDelayMs: null };
  let ownNamed = false;
  let targets: MutableRules[] = [];
  let inAgents = false;
  for (const [key, value] of records(text)) {
    if (key === 'user-agent') {
      if (!inAgents) targets = [];
      inAgents = true;
      const agent = agentOf(value);
      if (agent === token.toLowerCase()) {
        ownNamed = true;
        targets.push(own);
      } else if (agent === '*') targets.push(others);
    } else if (key === 'allow' || key === 'disallow') {
      inAgents = false;
      const pattern = normalizePath(value);
      if (/^[/*]/.test(pattern)) for (const group of targets) group.rules.push({ allow: key === 'allow', pattern });
    } else if (key === 'crawl-delay') {
      // Crawl-delay is not part of the protocol, so it must not end the list of agents.
      for (const group of targets) group.crawlDelayMs = longerDelay(group.crawlDelayMs, value);
    }
  }
  return ownNamed ? own : others;
}

// Whether the path and query of a URL may be fetched. The most specific rule decides; of equally specific ones an allowing
// rule wins.
export function robotsAllow({ rules }: RobotsRules, url: string | URL): boolean {
  const { pathname, search } = new URL(url);
  if (pathname === '/robots.txt') return true;
  const path = normalizePath(pathname + search)
    .replaceAll('*', '%2A')
    .replaceAll('$', '%24');
  let best = { allow: true, length: -1 };
  for (const { allow, pattern } of rules) {
    if (pattern.length < best.length || (pattern.length === best.length && best.allow)) continue;
    if (matches(pattern, path)) best = { allow, length: pattern.length };
  }
  return best.allow;
}

// The text of a fetched file. What lies past the cap is left out, together with the line that the cap cuts.
export function robotsText(bytes: Uint8Array): string {
  const whole = bytes.length < ROBOTS_MAX_BYTES;
  const text = new TextDecoder().decode(bytes.subarray(0, ROBOTS_MAX_BYTES));
  return whole ? text : text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

interface MutableRules {
  rules: { allow: boolean; pattern: string }[];
  crawlDelayMs: number | null;
}

function* records(text: string): Generator<[key: string, value: string]> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    if (colon > 0) yield [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
  }
}

// The product token of a user-agent line without a version or words behind it.
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[a-z_-]+/.exec(value.toLowerCase())?.[0] ?? '';
}

function longerDelay(known: number | null, value: string): number | null {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return known;
  return Math.max(known ?? 0, Math.min(Number(value) * 1000, MAX_CRAWL_DELAY_MS));
}

// One spelling for both sides: escapes of plain characters undone, all others in upper case, the rest of Unicode escaped.
function normalizePath(path: string): string {
  return path
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    })
    .replaceAll(/[^\u0021-\u007e]+/gu, (run) => encodeURIComponent(run.toWellFormed()));
}

// The parts between stars are sought from left to right, so a hostile pattern costs no more than its length.
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  let at = first.length;
  const last = anchored ? (rest.pop() ?? '') : '';
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !anchored || (path.length - last.length >= at && path.endsWith(last));
}
