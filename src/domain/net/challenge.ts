// Detects challenge pages of bot defences, which often answer 200.

const MAX_VISIBLE = 1500;
// With their scripts these pages have some hundred kilobytes. Longer pages are not challenge pages and not worth the time.
const MAX_LENGTH = 1024 * 1024;

const TITLES = ['just a moment', 'attention required', 'access denied', 'pardon our interruption'];

const REQUESTS = [
  /\b(?:verify|verifying|confirm|prove|make sure|ensure)\b.{0,40}\bhuman\b/,
  /\bare you (?:a )?(?:human|robot)\b|\b(?:you are|you're|you’re) not a (?:ro)?bot\b/,
  /\bhuman verification\b|\bverify (?:that )?(?:this|it) is (?:a|not a) (?:human|robot)\b/,
  /\bchecking (?:your browser|if the site connection is secure)\b/,
  /\bcomplete the security check\b|\bunusual traffic from your (?:computer )?network\b/,
  /\benable (?:javascript|js) and (?:cookies to continue|disable any ad blocker)\b/,
];

// reCAPTCHA is left out: it guards the forms of ordinary pages. So is Cloudflare's `challenge-platform/scripts`, which
// is put into every page of a zone.
const SCRIPTS = [
  'challenges.cloudflare.com/',
  '/cdn-cgi/challenge-platform/h/',
  'captcha-delivery.com/',
  'px-cdn.net/',
  'px-cloud.net/',
  'perimeterx.net/',
  '/_incapsula_resource',
  'hcaptcha.com/',
  'arkoselabs.com/',
  'geetest.com/',
  'ddos-guard.net/',
  'awswaf.com/',
  'kasada.io/',
  '/_sec/cp_challenge/',
  '/.well-known/vercel/security/',
];

export function isChallengePage({
  headers,
  text,
}: {
  // Header names are in lower case.
  headers: Readonly<Record<string, string>>;
  text: string;
}): boolean {
  if (text.length > MAX_LENGTH) return false;
  const marked = headers['cf-mitigated'] !== undefined;
  // A short changelog may mention bot checks, so only HTML pages are judged by their text.
  if (!marked && !isHtml(headers['content-type'], text)) return false;
  const page = readPage(text, MAX_VISIBLE);
  if (page === null) return false;
  return (
    marked ||
    TITLES.some((title) => page.title.startsWith(title)) ||
    REQUESTS.some((request) => request.test(page.visible)) ||
    SCRIPTS.some((script) => page.scripts.some((tag) => tag.includes(script)))
  );
}

function isHtml(contentType: string | undefined, text: string): boolean {
  return contentType?.toLowerCase().includes('html') || /^\s{0,100}(?:<!doctype html|<html)/i.test(text.slice(0, 200));
}

interface VisibleText {
  // All texts are in lower case with single blanks.
  title: string;
  visible: string;
  // Opening tags of scripts, with their attributes.
  scripts: string[];
}

const SILENT = new Set(['script', 'style', 'template', 'title', 'svg', 'iframe']);
const TAG = /<\/?(?<name>[a-z][a-z0-9-]*)/y;
const MAX_SCRIPTS = 200;
// The most tags and comments that are read; a page that shows next to nothing has some hundred.
const MAX_MARKS = 5_000;

// The visible text of a small page; null when it shows more than `limit` characters or has too many tags. The page is
// untrusted and can be large, so it is read in one pass without backtracking.
function readPage(html: string, limit: number): VisibleText | null {
  const page = html.toLowerCase();
  const scripts: string[] = [];
  let title = '';
  let visible = '';
  let at = 0;
  for (let marks = 0; at < page.length; marks += 1) {
    if (marks > MAX_MARKS) return null;
    const open = indexOrEnd(page, '<', at);
    visible = joinText(visible, page.slice(at, open));
    if (visible.length > limit) return null;
    const name = tagName(page, open);
    if (page.startsWith('<!--', open)) {
      at = indexOrEnd(page, '-->', open) + 3;
    } else if (name === null) {
      // A `<` that opens nothing is text; a declaration is not.
      visible += open < page.length && page[open + 1] !== '!' ? '<' : '';
      at = page[open + 1] === '!' ? indexOrEnd(page, '>', open) + 1 : open + 1;
    } else {
      const close = indexOrEnd(page, '>', open) + 1;
      const silent = SILENT.has(name) && page[open + 1] !== '/';
      at = silent ? indexOrEnd(page, `</${name}`, close) : close;
      if (name === 'script' && silent && scripts.length < MAX_SCRIPTS) scripts.push(page.slice(open, close));
      if (name === 'title' && silent && title === '') title = joinText('', page.slice(close, at));
    }
  }
  return { title, visible: visible.trim(), scripts };
}

function tagName(page: string, at: number): string | null {
  TAG.lastIndex = at;
  return TAG.exec(page)?.groups?.name ?? null;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

function joinText(before: string, part: string): string {
  const text = part.replaceAll(/(?:\s|&nbsp;)+/g, ' ').trim();
  return before === '' || text === '' ? before + text : `${before} ${text}`;
}
