// What every adapter is given and gives back. An adapter is a pure parser behind a thin fetch; it writes nothing.

import type { Draft } from '../../catalog/releases/draft.ts';
import type { Config } from '../../config.ts';
import type { DatePrecision } from '../../domain/dates/calendar.ts';
import type { FetchOutcome } from '../../domain/fetch-outcome.ts';
import type { ChatModel } from '../../insight/model/index.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Failure } from './outcomes.ts';

type Origin = 'release' | 'tag' | 'changelog' | 'feed' | 'page' | 'agent' | 'store' | 'video';

// A draft, and what its source says about it besides. Its media are absent when nothing could be learned of them, which takes
// nothing away from what is known; its date is null when the source states none: the current time never stands in for it.
export interface Item extends Draft {
  origin: Origin;
  datePrecision: DatePrecision | null;
  // The only date was one of change, so it must not move a stored one.
  dateFromUpdated: boolean;
  categories: string[];
  links: string[];
  confidence: number;
}

// What a server said last time about one address, and what it says now.
export interface Validator {
  endpoint: string;
  etag: string | null;
  lastModified: string | null;
  contentHash: string | null;
  tokenFingerprint: string | null;
}

// What an adapter remembers of a source between its fetches, by name; the values are JSON.
export type Memory = Readonly<Record<string, unknown>>;

export interface AdapterResult {
  outcome: FetchOutcome;
  // For the log: `<outcome>: <detail>`; no body text, no secrets.
  detail: string | null;
  items: Item[];
  // Stored together with the items; empty when something was read in part only.
  validators: Validator[];
  // What to remember from now on, stored together with the validators; null forgets it.
  memory?: Memory;
  // The listing was read to its end, so what is missing from it is gone.
  complete: boolean;
  // Work that a first fetch leaves for later jobs (address of the next page).
  backfill: string | null;
  // Facts about the source itself that were learned on the way.
  sourceChanges: Partial<SourceRow>;
  notes: string[];
  httpStatus: number | null;
  requests: number;
  bytes: number;
  // Not before this time, when the server said so.
  retryAt: string | null;
  // Throttled by a quota that many sources share: no fault of this one.
  sharedBudget?: boolean;
  // Guids of stored releases that the source has taken back, and of taken-back ones that it shows again.
  withdrawn?: string[];
  restored?: string[];
  // What an API with a quota said last; null when it said nothing.
  budget?: Budget | null;
  // What a code host says about the repository, when it was asked in this run.
  repository?: RepositoryFacts;
}

// One quota is shared by every source of an API host and token.
export interface Budget {
  host: string;
  tokenFingerprint: string | null;
  limit: number | null;
  remaining: number | null;
  resetAt: string | null;
}

export interface RepositoryFacts {
  id: number;
  // As the host spells it.
  fullName: string;
  description: string | null;
  homepage: string | null;
  archived: boolean;
  fork: boolean;
  stars: number;
}

// Where the services that sources live on are asked.
export type AdapterSettings = Config['upstream'];

// Stands for the host of work that talks to nobody.
export const NO_HOST = '';

// Asks a model in one turn.
export type ModelPort = ChatModel;

export interface AdapterContext {
  fetch: GuardedFetch;
  // Why this page may not be read: the rules of its host forbid it, or they cannot be asked for now. Null: it may.
  robotsFailure: (url: string) => Promise<Failure | null>;
  settings: AdapterSettings;
  // Null when none is configured.
  model: ModelPort | null;
  now: Date;
  // Adds up requests and bytes of all calls made through it.
  meter: { requests: number; bytes: number };
}

export interface AdapterInput {
  source: SourceRow;
  // Words of org, product, source, package and repository, for reading versions in prose.
  names: readonly string[];
  validators: readonly Validator[];
  memory?: Memory;
  // What is stored already: how an adapter knows where to stop paging.
  known: {
    guids: ReadonlySet<string>;
    urls: ReadonlySet<string>;
    count: number;
    // Guids among them that are suppressed as withdrawn.
    withdrawn?: ReadonlySet<string>;
  };
  // The changelog files of a repository. The fingerprint moves with their text; the texts are read only when needed.
  changelog?: { fingerprint: string; read: () => Promise<StoredChangelog[]> };
  firstFetch: boolean;
  // A page that an earlier run left to read.
  backfill: string | null;
  // So many pages of a listing now, because somebody waits; the others are left to backfill.
  pages?: number;
  max?: number;
}

export interface StoredChangelog {
  path: string;
  url: string;
  content: string;
  canonical: boolean;
}

export type Adapter = (ctx: AdapterContext, input: AdapterInput) => Promise<AdapterResult>;
