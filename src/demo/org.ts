// One org of the demo: what it is created with, and where it publishes.
import { type CastOrg, type CastProduct, domainOf, productSlug } from './cast.ts';
import { DAY_MS, iso } from './dates.ts';
import type { SourceDraft } from './sources.ts';
import type { DemoLocation, DemoOrg, DemoProduct } from './types.ts';

export function buildOrg(org: CastOrg, drafts: readonly SourceDraft[], today: number): DemoOrg {
  const own = drafts.filter((draft) => draft.org === org);
  const { slug, name, description, category, tags, aliases = [], isHidden = false, featured = false } = org;
  const domain = org.domain === null ? undefined : domainOf(org);
  const [oldest] = own.map(({ source }) => source.createdAt).sort();
  return {
    slug,
    name,
    domain,
    description,
    category,
    avatarUrl: org.avatar ? `https://${domain}/avatar.png` : undefined,
    featured,
    isHidden,
    autoGenerateContent: !isHidden,
    // Nothing of the demo exists outside, so nothing of it is fetched.
    fetchPaused: true,
    tags,
    aliases,
    accounts: platformsOf(org, own).map((platform) => ({
      platform,
      handle: platform === 'mastodon' ? `@${slug}@social.example` : slug,
    })),
    status: org.isStub ? 'stub' : 'tracked',
    discovery: org.discovery ?? 'curated',
    overviewCadenceDays: featured ? 3 : null,
    notice: org.notice ?? null,
    playbookNotes: org.playbook ?? null,
    ignoredUrls: (org.ignored ?? []).map((ignored) => ({ ...ignored, ignoredAt: iso(today - 20 * DAY_MS) })),
    products: (org.products ?? []).map((product) => buildProduct(product, domain)),
    locations: org.locations ?? (featured ? own.map(locationOf) : []),
    createdAt: oldest ?? iso(today - 30 * DAY_MS),
  };
}

function platformsOf({ accounts = [] }: CastOrg, own: SourceDraft[]): string[] {
  return own.some(({ cast }) => cast.type === 'github') ? ['github', ...accounts] : accounts;
}

function buildProduct({ sources, url, notice, ...product }: CastProduct, domain?: string): DemoProduct {
  const slug = productSlug(product);
  return {
    ...product,
    slug,
    url: url === null || !domain ? undefined : `https://${domain}/${slug}`,
    notice: notice ?? null,
  };
}

function locationOf({ source, product }: SourceDraft): DemoLocation {
  const { type, url, name: title, isPrimary: canonical, metadata, key } = source;
  const address =
    type === 'github'
      ? { github: url.replace('https://github.com/', '') }
      : type === 'appstore'
        ? { appstore: url }
        : typeof metadata.feedUrl === 'string'
          ? { feed: metadata.feedUrl }
          : { url };
  const owner = product ? { product: productSlug(product) } : {};
  return { locator: { ...address, title, canonical }, basis: 'declared', source: key, ...owner };
}
