// GET /evaluate: how an address would best be read. Asks other servers, stores nothing.

import { type Context, queries } from '../../context.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import { type Evaluation, typeOfMethod } from '../../contract/evaluate.ts';
import { deriveSlug, isReservedChildSlug, isReservedOrgSlug, normalizeDomain } from '../../domain/slugs.ts';
import { isHttpUrl, normalizeUrl } from '../../domain/urls.ts';
import { blockedUrls } from '../../entities/blocked-urls.ts';
import { findOrg } from '../../entities/resolve.ts';
import { TaskStopped } from '../../threads/task.ts';
import { type Findings, nothingFound, type ReadingOption } from '../adapters/findings.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import { PRIVATE_ADDRESS, TARGET_REFUSED } from '../adapters/probing.ts';
import { type PageInfo, type ProvingContext, READABLE_SCORE, type Unproven } from '../adapters/proofs.ts';
import { findRelatedOrg } from '../lookups/related-org.ts';

const SAMPLE = 5;
const NAME = 200;
const ALTERNATIVES = 5;

export async function evaluateUrl(ctx: ProvingContext, input: { url: string }): Promise<Evaluation> {
  const url = input.url.trim();
  if (!isHttpUrl(url)) throw badRequest('url', 'must be an absolute http or https address');
  if ((await blockedUrls(ctx, [normalizeUrl(url) ?? ''])).size > 0) throw badRequest('url', 'this address is blocked');
  const found = await findingsAt(ctx, url);
  const [best, ...others] = found.options as [ReadingOption, ...ReadingOption[]];
  const { options: _, ...facts } = found;
  return {
    url,
    ...facts,
    recommendedMethod: best.method,
    recommendedUrl: best.url,
    alternatives: others.slice(0, ALTERNATIVES).map(({ method, url, reason }) => ({ method, url, reason })),
    confidence: best.confidence,
    sample: best.items.slice(0, SAMPLE),
    proposed: await proposal(ctx, found, best),
    existingSourceIds: await existingSources(ctx, url, found),
  };
}

async function findingsAt(ctx: ProvingContext, url: string): Promise<Findings> {
  const type = Object.values(SOURCE_TYPE_DESCRIPTORS).find(({ evaluation }) =>
    evaluation?.recognizes(url, ctx.config.upstream),
  );
  const reading = type?.evaluation?.evaluate(ctx, url) ?? evaluatePage(ctx, url);
  const found = await reading.catch((error: unknown) => {
    if (!(error instanceof TaskStopped)) throw error;
    throw new ApiError('upstream_error', 'the page takes too long to read', { host: new URL(url).host });
  });
  return 'verdict' in found ? fail(url, found) : found;
}

async function evaluatePage({ proofs }: ProvingContext, url: string): Promise<Findings | Unproven> {
  const proof = await proofs.page(url);
  return proof.verdict === 'proven' ? pageFindings(url, proof) : proof;
}

function fail(url: string, { reason, status = null, detail = null }: Unproven): never {
  const { host, hostname } = new URL(url);
  if (reason === PRIVATE_ADDRESS) {
    throw badRequest(
      'url',
      `is at a private address; to read it, start the service with REGISTRY_EGRESS_ALLOW=${hostname}`,
    );
  }
  if (reason === TARGET_REFUSED) throw badRequest('url', 'must be on a public host that may be contacted');
  if (reason === 'robots') throw badRequest('url', 'robots.txt of the site forbids reading it');
  if (reason === 'single_video') throw badRequest('url', 'is a single video, not a listing');
  throw new ApiError('upstream_error', failureText(reason, { status, detail }), {
    host,
    ...(status === null ? {} : { status }),
  });
}

// What happened, as far as it is known, so that the operator need not try it by hand.
function failureText(reason: string, { status, detail }: { status: number | null; detail: string | null }): string {
  if (status === 404 || status === 410) return `the site has no page at this address (${status})`;
  const because = FAILED[reason] ?? 'the site could not be read';
  if (status !== null && status >= 400) return `${because}: it answers ${status}`;
  if (detail?.startsWith('connection_refused')) return `${because}: the host refuses the connection`;
  if (detail?.startsWith('dns')) return `${because}: the name of the host is not known`;
  if (detail?.startsWith('tls_error')) return `${because}: its certificate or encryption is not accepted`;
  return because;
}

const FAILED: Partial<Record<string, string>> = {
  unreachable: 'the site could not be reached',
  timeout: 'the site did not answer in time',
  throttled: 'the site asks to be left alone for a while',
  blocked: 'the site refuses to be read by programs',
};

async function proposal(
  ctx: ProvingContext,
  found: Findings,
  { method, name, url }: ReadingOption,
): Promise<Evaluation['proposed']> {
  const owner = await ownerOf(ctx, found);
  const { hostname, pathname } = new URL(url);
  const shown = (name?.trim() || `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`).slice(0, NAME);
  return {
    type: typeOfMethod(method),
    name: shown,
    slug: await freeSourceSlug(ctx, shown, owner),
    ...(owner ? { orgSlug: owner.slug, orgName: owner.name } : await newOwner(ctx, found)),
  };
}

// Reading options of a page in the order of preference: full feed, video listing, markdown or readable page, thin feed,
// agent.
function pageFindings(url: string, page: PageInfo): Findings {
  const { feed, video, finalUrl, provider, structure: pageStructure } = page;
  const options = [
    ...(feed && !feed.thin ? [feedOption(page)] : []),
    ...videoOptions(url, page),
    ...markdownOptions(page),
    ...readableOptions(page),
    ...(feed?.thin ? [feedOption(page)] : []),
    agentOption(page),
  ].filter((option) => option !== null);
  const notes = [...page.notes, ...(feed?.thin ? ['the feed holds teasers, or entries without a date'] : [])];
  return {
    ...nothingFound(finalUrl),
    feedUrl: feed?.feedUrl ?? null,
    feedType: feed?.feedType ?? null,
    video: video && { provider: video.provider, feedUrl: video.feedUrl },
    pageStructure,
    provider,
    notes: pageStructure === 'dynamic' ? [...notes, 'the page is written by a script'] : notes,
    options,
  };
}

function feedOption({ feed, title }: PageInfo): ReadingOption | null {
  if (!feed) return null;
  const reason = feed.thin ? 'feed of teasers' : 'feed with full text and dates';
  const confidence = feed.thin ? 'medium' : 'high';
  return { method: 'feed', url: feed.feedUrl, reason, confidence, name: feed.title ?? title, items: feed.items };
}

function videoOptions(url: string, { video, title }: PageInfo): ReadingOption[] {
  if (!video) return [];
  const name = video.title ?? title;
  return [{ method: 'video', url, reason: 'listing of videos', confidence: 'high', name, items: video.items }];
}

function markdownOptions({ markdown, title }: PageInfo): ReadingOption[] {
  if (!markdown) return [];
  const { url, items } = markdown;
  return [{ method: 'markdown', url, reason: 'markdown with entries', confidence: 'high', name: title, items }];
}

function readableOptions({ score, parser, finalUrl, title, items }: PageInfo): ReadingOption[] {
  if (score < READABLE_SCORE) return [];
  const confidence = score >= 0.8 ? 'high' : 'medium';
  const reason = `page with dated or versioned entries (${parser ?? 'page'} parser, score ${score})`;
  return [{ method: 'scrape', url: finalUrl, reason, confidence, name: title, items }];
}

function agentOption({ finalUrl, title }: PageInfo): ReadingOption {
  return { method: 'agent', url: finalUrl, reason: 'read by a model', confidence: 'low', name: title, items: [] };
}

// What the registry already has of an address: sources that read it, and the org that owns it.

async function existingSources(ctx: Context, url: string, found: Findings): Promise<string[]> {
  const addresses = [url, found.finalUrl, ...found.options.map((option) => option.url)];
  const keys = [...new Set(addresses.flatMap((address) => normalizeUrl(address) ?? []))];
  const rows = await queries(ctx)
    .selectFrom('sources')
    .select('id')
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('url_key', 'in', keys),
        ...(found.feedUrl ? [eb('feed_url', '=', found.feedUrl)] : []),
        ...(found.githubRepo ? [eb('github_coordinate', '=', found.githubRepo.toLowerCase())] : []),
        ...(found.appStore ? [eb('app_id', '=', found.appStore.appId)] : []),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface OwnerOfSource {
  id: string;
  slug: string;
  name: string;
}

// By the owner of the repository, else by the domain of the page or one above it.
async function ownerOf(
  ctx: Context,
  { finalUrl, githubRepo, appStore, video }: Findings,
): Promise<OwnerOfSource | null> {
  if (githubRepo) return (await findRelatedOrg(ctx, githubRepo.toLowerCase()))?.org ?? null;
  if (appStore || video) return null;
  const labels = (normalizeDomain(finalUrl) ?? '').split('.');
  for (let start = 0; start <= labels.length - 2; start += 1) {
    const org = await findOrg(ctx, labels.slice(start).join('.'));
    if (org) return { id: org.id, slug: org.slug, name: org.name };
  }
  return null;
}

// The list of public suffixes is long, and few requests need it.
async function nameOfDomain(url: string): Promise<string | null> {
  const { getDomainWithoutSuffix } = await import('tldts');
  return getDomainWithoutSuffix(url);
}

// A name and a free slug for an organization that is not stored yet: the owner of the repository, or the domain of the
// site. App stores and video hosts say nothing about it.
export async function newOwner(
  ctx: Context,
  { finalUrl, githubRepo, appStore, video }: Findings,
): Promise<{ orgSlug: string | null; orgName: string | null }> {
  const [account] = githubRepo?.split('/') ?? [];
  const word = account ?? (appStore || video ? null : await nameOfDomain(finalUrl));
  const derived = word && deriveSlug(word, 70);
  if (!word || !derived) return { orgSlug: null, orgName: null };
  let slug = derived;
  for (let number = 2; isReservedOrgSlug(slug) || (await findOrg(ctx, slug)); number += 1)
    slug = `${derived}-${number}`;
  return { orgSlug: slug, orgName: word.charAt(0).toUpperCase() + word.slice(1) };
}

// The slug that creation would derive: not reserved, and numbered when it is taken.
async function freeSourceSlug(ctx: Context, name: string, owner: OwnerOfSource | null): Promise<string> {
  const derived = deriveSlug(name, 70) ?? 'source';
  const wanted = isReservedChildSlug(derived)
    ? (deriveSlug(`${owner?.slug ?? 'source'}-${derived}`) ?? derived)
    : derived;
  const rows = await queries(ctx)
    .selectFrom('sources')
    .select('slug')
    .where('org_id', owner ? '=' : 'is', owner?.id ?? null)
    .where('slug', 'like', `${wanted}%`)
    .where('deleted_at', 'is', null)
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!taken.has(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}
