// By what an organization is addressed: its slug and its domain.
export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const MAX_LENGTH = 80;

const RESERVED_FOR_ORGS = wordSet(`
  404 500 503 about account accounts admin agent agents ai all api app apps assets atom auth blog bots catalog
  categories category changelog changelogs collection collections contact dashboard device digest docs download error
  errors evaluate event events explore favicon feed feedback feeds follow following follows forgot-password graphql
  health help home index internal invite jobs json keys legal live llms login logout lookups mail manifest mcp me media
  metrics new news notice notifications null oauth opensearch openapi org organization organizations orgs overview
  packages page password playbook pricing privacy product products profile ready recommendations register related
  release releases reset-password robots root rss schemas search security session sessions settings sign-in sign-out
  sign-up signin signout signup site-notice sitemap source sources static stats status stream subscribe summaries
  support system tag tags terms test token tokens undefined update user users v1 v2 v3 v4 v5 v6 v7 v8 v9 verify web
  webhook webhooks well-known whats-changed www ask reports breaking maintainers submit updates
`);

// Reserved after organizations could have them; one that did has moved to another slug.
const RESERVED_LATER = wordSet('ask breaking maintainers reports submit updates');

// Where the pages of an organization moved whose slug was reserved; null for other slugs.
export function slugAfterReserving(slug: string): string | null {
  return RESERVED_LATER.has(slug) ? `${slug}-org` : null;
}

const RESERVED_FOR_CHILDREN = wordSet(`
  accounts activity admin all api atom changelog collections create delete edit events feed fetch-log heatmap
  highlights index json latest list manifest md new null overview playbook preview product products releases remove
  resolve rss settings sitemap source sources stream tags undefined update webhook webhooks
`);

export function isSlug(text: string, { min = 1, max = MAX_LENGTH }: { min?: number; max?: number } = {}): boolean {
  return text.length >= min && text.length <= max && SLUG_PATTERN.test(text);
}

// A slug made of a name, or null when the name has no letter or digit that a slug can hold. `max` is 80 at most.
export function deriveSlug(text: string, max: number = MAX_LENGTH): string | null {
  // Titles that were cut end with a sign that no slug holds, and are plain otherwise.
  const name = text.endsWith('…') ? text.slice(0, -1) : text;
  const slug = joinedWords(name, max) ?? joinedWords(decomposed(name), max);
  if (!slug) return null;
  if (slug.length <= max) return slug;
  // The search begins at the limit itself: a dash there means that whole words fill it exactly.
  const dash = slug.lastIndexOf('-', max);
  return slug.slice(0, dash > 0 ? dash : max);
}

function decomposed(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\x00-\x7f]+/g, ' ');
}

const DASH = 0x2d;
// The longest slug, one character more, and the dash before it.
const scratch = Buffer.alloc(MAX_LENGTH + 2);

// The runs of letters and digits in lower case, joined by dashes, until the result is longer than `max`; null when the
// text is not ASCII. Lists of releases make thousands of slugs, so their bytes are written in place: joining pieces of the
// text takes twice as long.
function joinedWords(text: string, max: number): string | null {
  let length = 0;
  let isApart = false;
  for (let at = 0; at < text.length && length <= max; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return null;
    const slugCode = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (isSlugCharacter(slugCode)) {
      if (isApart && length > 0) scratch[length++] = DASH;
      scratch[length++] = slugCode;
      isApart = false;
    } else {
      isApart = true;
    }
  }
  return scratch.toString('latin1', 0, length);
}

function isSlugCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

export function isReservedOrgSlug(slug: string): boolean {
  return RESERVED_FOR_ORGS.has(slug);
}

// Slugs that products, sources (also those without an org) and collections must not have.
export function isReservedChildSlug(slug: string): boolean {
  return RESERVED_FOR_CHILDREN.has(slug);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

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
