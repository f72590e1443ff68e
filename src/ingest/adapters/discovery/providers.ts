// Services that host changelogs: how they are detected, and where they serve feed and markdown.

export interface ChangelogProvider {
  name: string;
  // Paths on the origin of the page.
  feedPaths: readonly string[];
  // The page with `.md` behind its path is its markdown.
  markdownSuffix?: boolean;
  // Ends of the host of the page, or of the name that its host is an alias for.
  hosts?: readonly string[];
  // Beginning of the generator tag.
  generator?: RegExp;
  // A response header, by name and, where its value decides, by value.
  header?: { name: RegExp; value?: RegExp };
}

const NUMBERED = ['/changelog.rss', '/docs/changelog.rss'];
const STATIC = ['/feed.xml', '/feed.rss', '/rss.xml'];

export const PROVIDERS: readonly ChangelogProvider[] = [
  {
    name: 'mintlify',
    feedPaths: ['/rss.xml'],
    markdownSuffix: true,
    hosts: ['mintlify.app', 'mintlify.site', 'mintlify.dev', 'mintlify.com'],
    generator: /^mintlify\b/i,
    header: { name: /^x-mintlify-/ },
  },
  { name: 'hashnode', feedPaths: ['/rss.xml'], hosts: ['hashnode.dev', 'hashnode.network'], generator: /^hashnode\b/i },
  {
    name: 'fern',
    feedPaths: NUMBERED,
    hosts: ['buildwithfern.com', 'ferndocs.com'],
    generator: /buildwithfern\.com|^fern\b/i,
    header: { name: /^x-fern-/ },
  },
  {
    name: 'readme',
    feedPaths: NUMBERED,
    markdownSuffix: true,
    hosts: ['readme.io', 'readme.com', 'readmessl.com'],
    generator: /^readme(?:\.io|\.com)?\b/i,
    header: { name: /^x-readme-/ },
  },
  { name: 'productboard', feedPaths: NUMBERED, hosts: ['productboard.com'] },
  {
    name: 'docusaurus',
    feedPaths: ['/blog/rss.xml', '/blog/atom.xml', '/changelog/rss.xml'],
    generator: /^docusaurus\b/i,
  },
  { name: 'ghost', feedPaths: ['/rss/'], hosts: ['ghost.io'], generator: /^ghost\b/i, header: { name: /^x-ghost-/ } },
  {
    name: 'wordpress',
    feedPaths: ['/feed/'],
    hosts: ['wordpress.com'],
    generator: /^wordpress\b/i,
    header: { name: /^link$/, value: /rel="?https:\/\/api\.w\.org\// },
  },
  { name: 'vitepress', feedPaths: STATIC, generator: /^vitepress\b/i },
  { name: 'nextra', feedPaths: STATIC, generator: /^nextra\b/i },
  { name: 'headway', feedPaths: ['/feed'], hosts: ['headwayapp.co'] },
  { name: 'beamer', feedPaths: ['/feed'], hosts: ['getbeamer.com'] },
  { name: 'launchnotes', feedPaths: ['/rss'], hosts: ['launchnotes.io', 'launchnotes.com'] },
  {
    name: 'gitbook',
    feedPaths: [],
    markdownSuffix: true,
    hosts: ['gitbook.io'],
    generator: /^gitbook\b/i,
    header: { name: /^x-gitbook-/ },
  },
  { name: 'zendesk', feedPaths: [], hosts: ['zendesk.com'], header: { name: /^x-zendesk-/ } },
  { name: 'document360', feedPaths: [], hosts: ['document360.io'], generator: /^document360\b/i },
  { name: 'notion', feedPaths: [], hosts: ['notion.site', 'notion.so'], header: { name: /^x-notion-/ } },
  { name: 'canny', feedPaths: [], hosts: ['canny.io'] },
  { name: 'intercom', feedPaths: [], hosts: ['intercom.help', 'intercomhelpcenter.com'] },
  { name: 'helpscout', feedPaths: [], hosts: ['helpscoutdocs.com'] },
  { name: 'freshdesk', feedPaths: [], hosts: ['freshdesk.com'] },
  { name: 'confluence', feedPaths: [], hosts: ['atlassian.net'], header: { name: /^x-confluence-/ } },
];

interface Signs {
  url: string;
  // Names in lower case.
  headers: Readonly<Record<string, string>>;
  generators: readonly string[];
  // Names that the host is an alias for, where they are known.
  cnames?: readonly string[];
}

// A provider is detected by a sign that no other one shows. A script that the page mentions is not enough.
export function detectProvider({ url, headers, generators, cnames = [] }: Signs): ChangelogProvider | null {
  const hosts = [URL.parse(url)?.hostname ?? '', ...cnames].map((host) => host.toLowerCase().replace(/\.$/, ''));
  const found = PROVIDERS.find(
    (provider) =>
      provider.hosts?.some((suffix) => hosts.some((host) => host === suffix || host.endsWith(`.${suffix}`))) ||
      generators.some((text) => provider.generator?.test(text.trim())) ||
      Object.entries(headers).some(([name, value]) => hasHeader(provider, name, value)),
  );
  return found ?? null;
}

function hasHeader({ header }: ChangelogProvider, name: string, value: string): boolean {
  if (!header?.name.test(name)) return false;
  return header.value?.test(value) ?? true;
}

// The address at which a provider serves the markdown of a page; null when it serves none.
export function markdownVariant(provider: ChangelogProvider | null, pageUrl: string): string | null {
  const url = URL.parse(pageUrl);
  if (!provider?.markdownSuffix || url === null || /^\/*$/.test(url.pathname)) return null;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}.md`;
  url.search = '';
  url.hash = '';
  return url.href;
}
