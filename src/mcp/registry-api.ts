// The reads of the REST API that tools are made of. Where they are answered is decided by whoever starts the server:
// by the routes of this process, or by a running service over HTTP. Both give the shapes of the contract.
import type { z } from 'zod';
import { followList, followState, personalFeed } from '../contract/account.ts';
import { changelogSlice } from '../contract/changelog.ts';
import { collectionDetail, collectionListItem } from '../contract/collection.ts';
import { domainLookup, productLookup, sourceLookup } from '../contract/lookup.ts';
import { orgDetail, orgList } from '../contract/org.ts';
import { orgCatalog } from '../contract/org-catalog.ts';
import { pageOf } from '../contract/pagination.ts';
import { productDetail } from '../contract/product.ts';
import { readingAnswer } from '../contract/reading.ts';
import { relatedReleases } from '../contract/related.ts';
import { releaseDetail, releaseFeed } from '../contract/release.ts';
import { releaseSearchAnswer, searchAnswer } from '../contract/search.ts';
import { sourceDetail } from '../contract/source.ts';
import { stackList, stackReport } from '../contract/stack.ts';
import { stats } from '../contract/stats.ts';
import { whatsChangedAnswer, whatsChangedBatch } from '../contract/whats-changed.ts';

// Route templates under /v1, each with the schema of its answer.
export const READS = {
  '/collections': pageOf(collectionListItem),
  '/collections/{col}': collectionDetail,
  '/collections/{col}/releases': releaseFeed,
  '/lookups/by-domain': domainLookup,
  '/lookups/product-by-slug': productLookup,
  '/lookups/source-by-slug': sourceLookup,
  '/me/feed': personalFeed,
  '/me/follows': followList,
  '/me/stacks': stackList,
  '/me/stacks/{name}/report': stackReport,
  '/orgs': orgList,
  '/orgs/{org}': orgDetail,
  '/orgs/{org}/catalog': orgCatalog,
  '/orgs/{org}/products/{product}': productDetail,
  '/orgs/{org}/releases': releaseFeed,
  '/orgs/{org}/sources/{source}': sourceDetail,
  '/orgs/{org}/sources/{source}/changelog': changelogSlice,
  '/products/{prod}': productDetail,
  '/readings/{id}': readingAnswer,
  '/related/releases': relatedReleases,
  '/releases/latest': releaseFeed,
  '/releases/{rel}': releaseDetail,
  '/search': searchAnswer,
  '/search/releases': releaseSearchAnswer,
  '/sources/{src}': sourceDetail,
  '/sources/{src}/changelog': changelogSlice,
  '/sources/{src}/releases': releaseFeed,
  '/stats': stats,
  '/whats-changed': whatsChangedAnswer,
} satisfies Record<string, z.ZodType>;

// Calls with a body, and those that change the account of the caller.
export const SENDS = {
  'POST /whats-changed/batch': whatsChangedBatch,
  'POST /me/follows': followState,
  'DELETE /me/follows/{type}/{id}': followState,
} satisfies Record<string, z.ZodType>;

type ReadPath = keyof typeof READS;
type ReadAnswer<P extends ReadPath> = z.output<(typeof READS)[P]>;

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface ReadInput {
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
}

type SendPath = keyof typeof SENDS;
type SendAnswer<P extends SendPath> = z.output<(typeof SENDS)[P]>;

interface SendInput {
  params?: Record<string, string>;
  body?: unknown;
}

export interface RegistryApi {
  // Throws ApiError for whatever the API refuses.
  get<P extends ReadPath>(path: P, input?: ReadInput): Promise<ReadAnswer<P>>;
  send<P extends SendPath>(path: P, input?: SendInput): Promise<SendAnswer<P>>;
}

// Query parameters as they are sent: one text for each value, lists joined by commas, nothing for what is absent.
export function queryTexts(query: ReadInput['query'] = {}): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
  });
}
