// An agent may visit the registrable domain of its source and the hosts that the operator has named.
import { getDomain } from 'tldts';

// Hosts whose names below belong to their customers, though the public suffix list does not say so.
const SHARED_HOSTS = new Set(
  `zendesk.com intercom.help medium.com substack.com wordpress.com tumblr.com ghost.io hashnode.dev canny.io readme.io
  mintlify.app`.split(/\s+/),
);

export interface AllowedHosts {
  allows(url: string): boolean;
  // The registrable names, for messages about refused addresses.
  names: readonly string[];
}

export function allowedHosts(sourceUrl: string, more: readonly string[] = []): AllowedHosts {
  const own = registrableDomain(URL.parse(sourceUrl)?.hostname ?? '');
  const names = [
    own,
    ...more.map((host) =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    ),
  ].filter((name) => name !== '');
  return {
    names,
    allows: (url) => {
      const parsed = URL.parse(url);
      if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return false;
      const host = parsed.hostname.toLowerCase().replace(/\.$/, '');
      return names.some((name) => host === name || (!isAddress(name) && host.endsWith(`.${name}`)));
    },
  };
}

export function registrableDomain(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const domain = getDomain(host, { allowPrivateDomains: true, validateHostname: false });
  // The host is an IP address, or a name that nobody can register.
  if (domain === null) return host;
  return SHARED_HOSTS.has(domain) ? host.split('.').slice(-3).join('.') : domain;
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}
