// Web addresses: which are valid, which are the same, and which name a GitHub repository.
const MAX_URL = 2048;
const HTTP_URL = /^https?:\/\/[^\s/\\\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/i;

const TRACKING_KEYS: ReadonlySet<string> = new Set([
  'ref',
  'fbclid',
  'gclid',
  'mc_cid',
  'mc_eid',
  'msclkid',
  'yclid',
  '_hsenc',
  '_hsmi',
  'mkt_tok',
  'igshid',
  'ref_src',
]);

const COORDINATE = /^(?<owner>[\w.-]{1,100})\/(?<repo>[\w.-]{1,100})$/;
// Segments of dots alone, which a URL parser would resolve as `.` or `..`.
const DOTS = /^\.*$/;
// Behind the host, a colon begins a port or, in the short form of ssh, the owner.
const GITHUB_ADDRESS =
  /^(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:[^@/]{0,100}@)?(?:www\.)?github\.com(?::\d{1,5}\/|[:/]\/?)|(?:www\.)?github\.com(?::\d{1,5})?\/|[^@/\s]{1,100}@github\.com[:/]\/?)(?<path>[^?#]*)/i;

// First path segments of github.com that are pages of the site, never an owner.
const GITHUB_PAGES: ReadonlySet<string> = new Set([
  ...['about', 'apps', 'collections', 'enterprise', 'explore', 'features', 'login', 'marketplace', 'notifications'],
  ...['orgs', 'search', 'settings', 'sponsors', 'topics', 'trending', 'users'],
]);

export function isHttpUrl(text: string): boolean {
  return text.length <= MAX_URL && HTTP_URL.test(text) && URL.canParse(text);
}

// The text under which two spellings of one http(s) address are the same; null for anything else.
export function normalizeUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return null;

  const host = keyHost(parsed);
  const path = keyPath(parsed.pathname, host === 'github.com');
  return host + path + keyQuery(parsed.search) + keyFragment(parsed.hash);
}

// `owner/repo` in lower case from a github.com address, `github:owner/repo` or `owner/repo`.
export function githubCoordinate(urlOrText: string): string | null {
  const text = urlOrText.trim();
  const path = GITHUB_ADDRESS.exec(text)?.groups?.path;
  if (path === undefined) return coordinate(text.replace(/^github:/i, ''));
  const [owner = '', repo = ''] = path.split('/', 2);
  return GITHUB_PAGES.has(owner.toLowerCase()) ? null : coordinate(`${owner}/${repo}`);
}

function coordinate(text: string): string | null {
  const groups = COORDINATE.exec(text)?.groups;
  if (groups === undefined) return null;
  const owner = groups.owner?.toLowerCase() ?? '';
  const repo = withoutDotGit(groups.repo?.toLowerCase() ?? '');
  return DOTS.test(owner) || DOTS.test(repo) || repo.endsWith('.git') ? null : `${owner}/${repo}`;
}

function keyHost(url: URL): string {
  // The key has no scheme, so the default ports of both schemes are left out.
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`;
  return url.hostname.replace(/^(?:www\.)+(?=[^.])/, '') + port;
}

function keyPath(pathname: string, onGithub: boolean): string {
  let end = pathname.length;
  while (end > 0 && pathname[end - 1] === '/') end -= 1;
  const path = decodeUnreserved(pathname.slice(0, end));
  if (!onGithub) return path;

  const [root = '', owner, repo, ...rest] = path.split('/');
  if (owner === undefined) return path;
  const head = repo === undefined ? [owner.toLowerCase()] : [owner.toLowerCase(), withoutDotGit(repo.toLowerCase())];
  return [root, ...head, ...rest].join('/');
}

function keyQuery(search: string): string {
  if (search === '') return '';
  const pairs = search
    .slice(1)
    .split('&')
    .filter((text) => text !== '')
    .map((text) => decodeUnreserved(text))
    .map((text) => ({ text, key: text.split('=', 1)[0] ?? '' }))
    .filter(({ key }) => !TRACKING_KEYS.has(key) && !key.startsWith('utm_'));
  if (pairs.length === 0) return '';
  // Only keys are compared: the order of one key's repeated values can carry meaning.
  pairs.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return `?${pairs.map(({ text }) => text).join('&')}`;
}

function keyFragment(hash: string): string {
  if (hash === '') return '';
  const fragment = decodeUnreserved(hash.slice(1)).split(':~:', 1)[0] ?? '';
  return fragment === '' ? '' : `#${fragment}`;
}

// Decodes escapes of unreserved characters. A stray percent sign is encoded, because it could form a new escape with the
// characters that were decoded behind it.
function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})?/gi, (encoded, hex: string | undefined) => {
    if (hex === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
}

function withoutDotGit(name: string): string {
  let end = name.length;
  while (name.endsWith('.git', end)) end -= 4;
  const rest = name.slice(0, end);
  return DOTS.test(rest) ? name : rest;
}
