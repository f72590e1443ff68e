// GET /evaluate: how an address would best be read. Asks the outside, stores nothing.

import { blockedUrls } from '../../catalog/releases/item-filters.ts';
import type { SourceType } from '../../contract/enums.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import type { Evaluation, Method } from '../../contract/evaluate.ts';
import { githubCoordinate, isHttpUrl, normalizeUrl } from '../../domain/urls.ts';
import { TaskTimeout } from '../../threads/task.ts';
import { readAppAddress } from '../adapters/appstore/identify.ts';
import type { ProvingContext, Unproven } from '../manifests/proofs.ts';
import { existingSources, freeSourceSlug, ownerOf } from './existing.ts';
import { appFindings, type Findings, pageFindings, repositoryFindings, type Way } from './findings.ts';
import { PRIVATE_ADDRESS, TARGET_REFUSED } from './proofs/probing.ts';

const SAMPLE = 5;
const NAME = 200;
const ALTERNATIVES = 5;

export async function evaluateUrl(ctx: ProvingContext, input: { url: string }): Promise<Evaluation> {
  const url = input.url.trim();
  if (!isHttpUrl(url)) throw badRequest('url', 'must be an absolute http or https address');
  if ((await blockedUrls(ctx, [normalizeUrl(url) ?? ''])).size > 0) throw badRequest('url', 'this address is blocked');
  const found = await findingsAt(ctx, url);
  const [best, ...others] = found.ways as [Way, ...Way[]];
  const { ways: _, ...facts } = found;
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
  const coordinate = repositoryAt(ctx, url);
  if (coordinate) {
    const proof = await ctx.proofs.repository(coordinate, { items: true });
    return proof.verdict === 'proven' ? repositoryFindings(proof) : fail(url, proof);
  }
  if (readAppAddress(url)) {
    const proof = await ctx.proofs.app(url);
    return proof.verdict === 'proven' ? appFindings(url, proof) : fail(url, proof);
  }
  const proof = await ctx.proofs.page(url).catch((error: unknown) => {
    if (!(error instanceof TaskTimeout)) throw error;
    throw new ApiError('upstream_error', 'the page takes too long to read', { host: new URL(url).host });
  });
  return proof.verdict === 'proven' ? pageFindings(url, proof) : fail(url, proof);
}

// The code host may stand at another address of ours.
function repositoryAt({ config }: ProvingContext, url: string): string | null {
  const web = URL.parse(config.upstream.githubWebUrl);
  const { host, pathname } = new URL(url);
  if (host === web?.host) return githubCoordinate(`https://github.com${pathname}`);
  return /^(?:www\.)?github\.com$/i.test(host) ? githubCoordinate(url) : null;
}

function fail(url: string, { reason, status = null }: Unproven): never {
  const { host } = new URL(url);
  if (reason === PRIVATE_ADDRESS) throw badRequest('url', 'is at a private address; only public hosts are contacted');
  if (reason === TARGET_REFUSED) throw badRequest('url', 'must be on a public host that may be contacted');
  if (reason === 'robots') throw badRequest('url', 'robots.txt of the site forbids reading it');
  if (reason === 'single_video') throw badRequest('url', 'is a single video, not a listing');
  throw new ApiError('upstream_error', FAILED[reason] ?? 'the site could not be read', {
    host,
    ...(status === null ? {} : { status }),
  });
}

const FAILED: Partial<Record<string, string>> = {
  unreachable: 'the site could not be reached',
  timeout: 'the site did not answer in time',
  throttled: 'the site asks to be left alone for a while',
  blocked: 'the site refuses to be read by programs',
};

const TYPES: Record<Method, SourceType> = {
  github: 'github',
  feed: 'feed',
  markdown: 'scrape',
  scrape: 'scrape',
  appstore: 'appstore',
  video: 'video',
  agent: 'agent',
};

async function proposal(
  ctx: ProvingContext,
  found: Findings,
  { method, name, url }: Way,
): Promise<Evaluation['proposed']> {
  const owner = await ownerOf(ctx, found);
  const { hostname, pathname } = new URL(url);
  const shown = (name?.trim() || `${hostname.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`).slice(0, NAME);
  return {
    type: TYPES[method],
    name: shown,
    slug: await freeSourceSlug(ctx, shown, owner),
    orgSlug: owner?.slug ?? null,
    orgName: owner?.name ?? null,
  };
}
