// The contract of adapters: their input and their result. An adapter is a pure parser behind a thin fetch; it writes nothing.

import type { Config } from '../../config.ts';
import type { DatePrecision } from '../../domain/dates/calendar.ts';
import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import type { ChatModel } from '../../insight/model/index.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { Draft } from '../../releases/write/draft.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Memory } from './memory.ts';
import type { Failure } from './outcomes.ts';

type Origin = 'release' | 'tag' | 'changelog' | 'feed' | 'page' | 'agent' | 'store' | 'video';

// A draft with what the source says besides. `media` is absent when nothing is known of them, which changes no stored media.
// `publishedAt` is null when the source states no date: the current time never stands in for it.
export interface Item extends Draft {
  origin: Origin;
  datePrecision: DatePrecision | null;
  // The only date was a date of change, so it must not replace a stored date.
  dateFromUpdated: boolean;
  categories: string[];
  links: string[];
  confidence: number;
}

// What a server answered last time for one address, and what it answers now: ETag, Last-Modified and a hash.
export interface Validator {
  endpoint: string;
  etag: string | null;
  lastModified: string | null;
  contentHash: string | null;
  tokenFingerprint: string | null;
}

export interface AdapterResult {
  outcome: FetchOutcome;
  // For the log: `<outcome>: <detail>`; no body text, no secrets.
  detail: string | null;
  items: Item[];
  // Stored in the transaction of the items; empty when something was read only in part.
  validators: Validator[];
  // Values to store for the next run, written with the validators; null removes one.
  memory?: Memory;
  // The listing was read to its end, so stored releases that are missing from it are gone.
  complete: boolean;
  // The address of the next page when a first fetch leaves pages to later jobs.
  backfill: string | null;
  // Changes of the source itself that were learned during the fetch.
  sourceChanges: Partial<SourceRow>;
  notes: string[];
  httpStatus: number | null;
  requests: number;
  bytes: number;
  // The server asked not to be called before this time.
  retryAt: string | null;
  // The fetch was throttled by a quota that many sources share, which is no failure of this source.
  sharedBudget?: boolean;
  // Guids of stored releases that the source has withdrawn, and of withdrawn ones that it shows again.
  withdrawn?: string[];
  restored?: string[];
  // The quota as the API last reported it; null when it reported none.
  budget?: Budget | null;
  // The changelog files that the items come from, the canonical one first; absent when nothing is known of them.
  files?: readonly OriginalFile[];
  // Facts of the repository, when this run has asked for them.
  repository?: RepositoryInfo;
}

// One quota is shared by every source of an API host and token.
export interface Budget {
  host: string;
  tokenFingerprint: string | null;
  limit: number | null;
  remaining: number | null;
  resetAt: string | null;
}

export interface RepositoryInfo {
  id: number;
  // As the host spells it.
  fullName: string;
  description: string | null;
  homepage: string | null;
  archived: boolean;
  fork: boolean;
  stars: number;
}

// Base addresses of the services that sources live on.
export type AdapterSettings = Config['upstream'];

// The host of jobs that call no other server.
export const NO_HOST = '';

// A model that answers one prompt at a time.
export type ModelPort = ChatModel;

export interface AdapterContext {
  fetch: GuardedFetch;
  // Null when the page may be read; else the failure: robots.txt forbids it or cannot be read now.
  robotsFailure: (url: string) => Promise<Failure | null>;
  settings: AdapterSettings;
  // Null when no model is configured.
  model: ModelPort | null;
  now: Date;
  // Sums of requests and bytes over all calls of this context.
  meter: { requests: number; bytes: number };
}

export interface AdapterInput {
  source: SourceRow;
  // Words of org, product, source, package and repository, for reading versions in prose.
  names: readonly string[];
  validators: readonly Validator[];
  memory?: Memory;
  // What is stored already, so that an adapter knows where to stop paging.
  known: {
    guids: ReadonlySet<string>;
    urls: ReadonlySet<string>;
    count: number;
    // Guids of stored releases that are suppressed as withdrawn.
    withdrawn?: ReadonlySet<string>;
  };
  // The changelog files of a repository. The fingerprint moves with their text; the texts are read only when needed.
  changelog?: { fingerprint: string; read: () => Promise<StoredChangelog[]> };
  firstFetch: boolean;
  // The address of a page that an earlier run left to read.
  backfill: string | null;
  // Limits the pages of this run because a caller waits; the other pages are left to backfill.
  pages?: number;
  max?: number;
}

// A changelog file as it was read.
export interface OriginalFile {
  path: string;
  url: string;
  rawUrl: string;
  text: string;
  // The hash under which git knows the file, its size, and how far into it the text begins.
  hash: string;
  bytes: number;
  startsAt: number;
}

export interface StoredChangelog {
  path: string;
  url: string;
  content: string;
  canonical: boolean;
  // Of a file from a published package: its part of the repository, null for all of it. Absent for files of the repository.
  packagePart?: string | null;
}

export type Adapter = (ctx: AdapterContext, input: AdapterInput) => Promise<AdapterResult>;

// A result with defaults for what the caller does not state; requests and bytes are those of the whole run so far.
export function adapterResult(
  { meter }: Pick<AdapterContext, 'meter'>,
  stated: Partial<AdapterResult> & { outcome: FetchOutcome },
): AdapterResult {
  return {
    detail: null,
    items: [],
    validators: [],
    complete: false,
    backfill: null,
    sourceChanges: {},
    notes: [],
    httpStatus: null,
    requests: meter.requests,
    bytes: meter.bytes,
    retryAt: null,
    ...stated,
  };
}
