// Decides what source a new locator becomes, or why it becomes none.

import { now, type WriteContext } from '../../context.ts';
import { LOCATION_BASES } from '../../contract/enums.ts';
import { LOCATOR_KEYS, type Locator } from '../../contract/manifest.ts';
import { newId } from '../../domain/ids.ts';
import { keysOf, recordOf } from '../../domain/records.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import type { CreateSource } from '../../entities/sources/create.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';
import { type PageInfo, type Proof, type Proofs, READABLE_SCORE, type Unproven } from '../adapters/proofs.ts';
import type { KnownOrg } from './known.ts';

export type NewSource = Pick<CreateSource, 'type' | 'url' | 'name' | 'metadata' | 'fetchPriority'>;

export type LocatorFinding =
  | { action: 'create'; source: NewSource; reason?: string }
  // With `retry` nothing was learned, so the next sync checks the locator again.
  | { action: 'skip'; reason: string; retry: boolean };

interface LocatorQuestion {
  locator: Locator;
  // A person has named the location, so its owner need not be proven.
  vouched: boolean;
}

const NAME = 200;

export async function probeLocator(
  proofs: Proofs,
  known: KnownOrg,
  { locator, vouched }: LocatorQuestion,
): Promise<LocatorFinding> {
  if (locator.feed !== undefined) {
    const proof = await proofs.feed(locator.feed);
    if (proof.verdict !== 'proven') return skipped(proof);
    const { feedUrl, feedType, homepage, title } = proof;
    const url = locator.url ?? homepage ?? locator.feed;
    return created(locator, { type: 'feed', url, name: title, metadata: { feedUrl, feedType } });
  }
  if (locator.github !== undefined) return probeRepository(proofs, known, locator, { vouched, github: locator.github });
  if (locator.appstore !== undefined) {
    const proof = await proofs.app(locator.appstore);
    if (proof.verdict !== 'proven') return skipped(proof);
    const { appId, platform, storefront, iconUrl, name } = proof;
    const metadata = { appId, appPlatform: platform, appStorefront: storefront, appIconUrl: iconUrl };
    return created(locator, { type: 'appstore', url: locator.appstore, name, metadata });
  }
  if (locator.file !== undefined) {
    const proof = await proofs.file(locator.file);
    if (proof.verdict !== 'proven') return skipped(proof);
    const metadata = { markdownUrl: proof.url };
    return created(locator, { type: 'scrape', url: locator.url ?? locator.file, name: null, metadata });
  }
  return pageFinding(locator, await proofs.page(locator.url ?? ''));
}

async function probeRepository(
  proofs: Proofs,
  known: KnownOrg,
  locator: Locator,
  { github, vouched }: { github: string; vouched: boolean },
): Promise<LocatorFinding> {
  const proof = await proofs.repository(github, { ownerSite: true });
  if (proof.verdict !== 'proven') return skipped(proof);
  const { fullName, homepage, ownerSite } = proof;
  const [owner = '', name = fullName] = fullName.split('/');
  const shown = vouched || isKnownOwner(known, owner) || [homepage, ownerSite].some((site) => isOfOrg(known, site));
  const source = { type: 'github' as const, url: `https://github.com/${fullName}`, name, metadata: {} };
  return created(locator, source, shown ? undefined : 'owner_not_shown');
}

// Accounts from the manifest, and sources that wait for review because of it, do not prove ownership.
function isKnownOwner({ sources, accounts, memory }: KnownOrg, owner: string): boolean {
  const login = owner.toLowerCase();
  const trusted = accounts.filter(({ platform, handle }) => !memory.accounts.includes(`${platform}/${handle}`));
  if (trusted.some(({ platform, handle }) => platform === 'github' && handle.toLowerCase() === login)) return true;
  return sources.some((source) => {
    const waits = source.discovery === 'agent' && source.fetch_priority === 'paused';
    return !waits && source.github_coordinate?.startsWith(`${login}/`);
  });
}

function isOfOrg({ domains }: KnownOrg, site: string | null): boolean {
  const host = site === null ? null : normalizeDomain(site);
  return host !== null && domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

function pageFinding(locator: Locator, proof: Proof<PageInfo>): LocatorFinding {
  const url = locator.url ?? '';
  if (proof.verdict === 'unreachable') return skipped(proof);
  if (proof.verdict === 'refused') {
    return created(locator, { type: 'scrape', url, name: null, metadata: {} }, proof.reason);
  }
  const { video, feed, markdown, score, parser, title } = proof;
  if (video) {
    const metadata = { videoProvider: video.provider, videoFeed: video.feedUrl };
    return created(locator, { type: 'video', url, name: video.title ?? title, metadata });
  }
  if (feed) {
    const metadata = { feedUrl: feed.feedUrl, feedType: feed.feedType };
    return created(locator, { type: 'feed', url, name: feed.title ?? title, metadata });
  }
  const readable = markdown !== null || score >= READABLE_SCORE;
  const metadata = markdown ? { markdownUrl: markdown.url } : { parser };
  return created(locator, { type: 'scrape', url, name: title, metadata }, readable ? undefined : 'not_readable');
}

// A source with a reason is created paused, for a person to review.
function created(
  locator: Locator,
  source: Pick<NewSource, 'type' | 'url' | 'metadata'> & { name: string | null },
  reason?: string,
): LocatorFinding {
  const name = (locator.title ?? source.name ?? nameOf(source.url)).trim().slice(0, NAME) || nameOf(source.url);
  const fetchPriority = reason === undefined ? 'normal' : 'paused';
  return { action: 'create', source: { ...source, name, fetchPriority }, ...(reason === undefined ? {} : { reason }) };
}

function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname.replace(/^www\./, '')}${pathname}`.replace(/\/$/, '').slice(0, NAME);
}

function skipped({ verdict, reason }: Unproven): LocatorFinding {
  return { action: 'skip', reason, retry: verdict === 'unreachable' };
}

// Stores declared locations. A stronger basis replaces the values of a row; a weaker one only fills what is missing.

export type Basis = (typeof LOCATION_BASES)[number];

// The list of bases is ordered by weight.
function strongerBasis(a: Basis, b: Basis): Basis {
  return LOCATION_BASES.indexOf(a) <= LOCATION_BASES.indexOf(b) ? a : b;
}

interface FoundLocation {
  key: string;
  locator: Locator;
  productId: string | null;
  sourceId: string | null;
  basis: Basis;
}

type Addresses = Pick<ReleaseLocationRow, (typeof LOCATOR_KEYS)[number] | 'title' | 'canonical'>;

export async function writeLocation(
  ctx: WriteContext,
  { orgId, stored, found }: { orgId: string; stored: ReleaseLocationRow | undefined; found: FoundLocation },
): Promise<void> {
  const { key, locator, productId, sourceId, basis } = found;
  const at = now(ctx);
  const stated = addressesOf(locator);
  if (!stored) {
    const row = { id: newId('loc', ctx.randomBytes), org_id: orgId, match_key: key, basis, ...stated };
    await ctx.tx
      .insertInto('release_locations')
      .values({ ...row, product_id: productId, source_id: sourceId, created_at: at, updated_at: at, deleted_at: null })
      .execute();
    return;
  }
  const stronger = strongerBasis(stored.basis, basis);
  const changes = {
    ...(stronger === basis ? stated : missingOf(stored, stated)),
    basis: stronger,
    product_id: stored.product_id ?? productId,
    source_id: sourceId ?? stored.source_id,
  };
  const differs = keysOf(changes).some((column) => stored[column] !== changes[column]);
  if (!differs) return;
  await ctx.tx
    .updateTable('release_locations')
    .set({ ...changes, updated_at: at })
    .where('id', '=', stored.id)
    .execute();
}

function addressesOf(locator: Locator): Addresses {
  const addresses = recordOf(LOCATOR_KEYS, (key) => locator[key] ?? null);
  return { ...addresses, title: locator.title ?? null, canonical: locator.canonical ? 1 : 0 };
}

function missingOf(stored: ReleaseLocationRow, stated: Addresses): Partial<Addresses> {
  const { canonical: _, ...texts } = stated;
  const missing = keysOf(texts).filter((column) => stored[column] === null);
  return Object.fromEntries(missing.map((column) => [column, texts[column]]));
}
