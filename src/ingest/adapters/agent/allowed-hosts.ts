// Where an agent may go: the registrable domain of its source, and hosts that the operator has named.

// Names under which everybody can register. The full list is long and changes monthly; these are the ones that sites of
// software are found under, and a missing one errs on the side of one company's hosts.
const SECOND_LEVEL = /^(?:ac|co|com|edu|gob|gov|gv|go|mil|ne|net|nom|or|org|web)\.[a-z]{2}$/;
const SHARED_HOSTS = new Set(
  `github.io gitlab.io bitbucket.io vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com
  fly.dev onrender.com readthedocs.io readme.io gitbook.io mintlify.app notion.site canny.io hashnode.dev substack.com
  medium.com wordpress.com blogspot.com ghost.io zendesk.com intercom.help azurewebsites.net amazonaws.com
  cloudfront.net surge.sh deno.dev replit.app webflow.io framer.website framer.app tumblr.com`.split(/\s+/),
);

export interface AllowedHosts {
  allows(url: string): boolean;
  // For those who ask why not.
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
  if (isAddress(host)) return host;
  const labels = host.split('.');
  const lastTwo = labels.slice(-2).join('.');
  const isShared = SECOND_LEVEL.test(lastTwo) || SHARED_HOSTS.has(lastTwo);
  return labels.slice(isShared ? -3 : -2).join('.');
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}
