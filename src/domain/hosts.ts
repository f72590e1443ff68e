const MAX_INPUT = 2048;
const MAX_HOST = 253;
const HTTP_SCHEME = /^https?:\/\/(?![/\\])/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

// The bare domain named by a host or an http(s) URL, or null when there is none.
export function normalizeDomain(input: string): string | null {
  const text = input.trim();
  // The URL parser silently drops tabs and line ends, which would join separate words.
  if (text === '' || text.length > MAX_INPUT || /[\s\u0000-\u001f\u007f]/.test(text)) return null;
  const isUrl = HTTP_SCHEME.test(text);
  if (!isUrl && /^(?:[a-z][a-z0-9+.-]*:\/\/|[/\\])/i.test(text)) return null;

  const url = URL.parse(isUrl ? text : `http://${text}`);
  if (url === null) return null;
  // Without a scheme, a text before `@` means a mail address or another scheme and no host.
  if (!isUrl && /^[^/?#\\]*@/.test(text)) return null;

  const host = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  // The parser has turned every numeric spelling of an address into dotted decimals, so this test finds them all.
  if (host.length > MAX_HOST || /^[\d.]+$/.test(host)) return null;
  const labels = host.split('.');
  return labels.length >= 2 && labels.every((label) => LABEL.test(label)) ? host : null;
}
