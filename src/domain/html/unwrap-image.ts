// Finds the original image behind the URL of an image proxy, so that releases store images that outlive the proxy.

const QUERY_WRAPPERS: readonly { host?: RegExp; path: RegExp; key: string }[] = [
  { path: /\/_next\/image\/?$/, key: 'url' },
  { path: /^\/_vercel\/image\/?$/, key: 'url' },
  { path: /^\/\.netlify\/images\/?$/, key: 'url' },
  { path: /^\/_gatsby\/image\//, key: 'u' },
  { path: /^\/_image\/?$/, key: 'href' },
  { host: /^(?:wsrv\.nl|images\.weserv\.nl)$/, path: /^/, key: 'url' },
  { host: /^external-content\.duckduckgo\.com$/, path: /^\/iu\//, key: 'u' },
  { host: /\.googleusercontent\.com$/, path: /^\/gadgets\/proxy/, key: 'url' },
];
// Proxies that have the original in their path: an absolute URL, or a path on the same host.
const PATH_WRAPPERS: readonly { host?: RegExp; path: RegExp }[] = [
  { path: /^\/cdn-cgi\/image\/[^/]+\/(?<rest>.+)$/ },
  { path: /\/_ipx\/[^/]+\/(?<rest>.+)$/ },
  { path: /\/image\/fetch\/(?:.*?\/)??(?<rest>https?(?::|%3a).+)$/i },
];
const WORDPRESS = /^i[0-3]\.wp\.com$/;
const CAMO = /^\/[0-9a-f]{40,64}\/(?<hex>(?:[0-9a-f]{2}){8,2000})$/i;
const MAX_WRAPPERS = 3;

export function unwrapImage(url: string): string {
  let address = url;
  for (let left = MAX_WRAPPERS; left > 0; left -= 1) {
    const parsed = URL.parse(address);
    const inner = parsed && wrappedBy(parsed);
    const next = inner ? URL.parse(inner, address) : null;
    if (next === null || !/^https?:$/.test(next.protocol) || next.href === address) return address;
    address = next.href;
  }
  return address;
}

function wrappedBy(url: URL): string | null {
  const { hostname, pathname } = url;
  if (hostname === 'camo.githubusercontent.com') return fromHex(CAMO.exec(pathname)?.groups?.hex);
  if (WORDPRESS.test(hostname)) return `https:/${pathname}`;
  const byQuery = QUERY_WRAPPERS.find(({ host, path }) => (host?.test(hostname) ?? true) && path.test(pathname));
  if (byQuery) return withScheme(url.searchParams.get(byQuery.key));
  for (const { path } of PATH_WRAPPERS) {
    const rest = path.exec(pathname)?.groups?.rest;
    if (rest !== undefined) return fromPath(rest) + url.search;
  }
  return null;
}

// Servers collapse `https://host` in a path to `https:/host`.
function fromPath(rest: string): string {
  const text = /^https?%3a/i.test(rest) ? decoded(rest) : rest;
  return /^https?:\//i.test(text) ? text.replace(/^(https?:)\/+/i, '$1//') : `/${text}`;
}

function withScheme(text: string | null): string | null {
  if (!text) return null;
  return /^(?:https?:|\/)/i.test(text) ? text : `https://${text}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromHex(hex: string | undefined): string | null {
  const text = hex === undefined ? '' : Buffer.from(hex, 'hex').toString('utf8');
  return /^https?:\/\//i.test(text) ? text : null;
}
