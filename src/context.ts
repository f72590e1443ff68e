// The context: the first argument of every function of a capability. Only the composition root (`app.ts`) makes one.
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Caller } from './contract/caller.ts';
import type { VectorAnswer } from './domain/retrieval/retrievers.ts';
import type { GuardedFetch } from './net/fetch.ts';
import type { Guard } from './net/guard.ts';
import type { RobotsCache } from './net/robots-cache.ts';
import type {
  AnnouncedRelease,
  DeletedEntities,
  FeedMatch,
  OrderedReading,
  StoredVector,
  VectorKind,
  VectorSearch,
  VectorStatus,
} from './ports.ts';
import type { Queries, Tx } from './store/schema/index.ts';
import type { OrgRow } from './store/schema/orgs.ts';
import type { ReleaseRow } from './store/schema/releases.ts';
import type { SourceRow } from './store/schema/sources.ts';
import type { Store, WriteKind } from './store/store.ts';
import type { TextResults } from './threads/results.ts';

// Keys from which everything that the service encrypts or signs is derived.
export interface ServiceSecrets {
  current: Uint8Array;
  // Older keys, with which stored values can still be decrypted.
  previous: readonly Uint8Array[];
}

// The hashing of passwords.
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

export interface Context {
  store: Store;
  // Set inside a transaction: reads and writes of one call then share it.
  tx?: Tx;
  // What was worked out about long texts before the transaction opened.
  results?: TextResults | undefined;
  config: Config;
  // Null when the service has no keys, so that nothing can be encrypted or signed.
  secrets: ServiceSecrets | null;
  // Replaces the hashing of the sign-in library.
  passwords?: Passwords | undefined;
  clock: () => Date;
  randomBytes: (size: number) => Uint8Array;
  // All outgoing requests use this fetch; `robots` decides which pages of a host may be read.
  fetch: GuardedFetch;
  robots: RobotsCache;
  // Checks whether an address may be contacted, without a request.
  guard: Guard;
  log: Logger;
  ports: Ports;
  caller: Caller;
  answer: AnswerInfo;
  // Whether nobody waits for the answer any more.
  isAbandoned?: (() => boolean) | undefined;
}

// What a capability calls in those to its right in the layer plan; `app.ts` connects them.
export interface Ports {
  fullText: {
    // Keys of matching rows, highest first. The caller re-checks every other filter on the rows themselves.
    match(ctx: Context, match: FeedMatch): Promise<number[]>;
    // The rows among these that match `q`, in any order. Null when a search over all rows is not slower.
    matchAmong(ctx: Context, among: { q: string; keys: readonly number[] }): Promise<number[] | null>;
  };
  coverage: {
    // Links new releases to others of the same launch; returns those that are now coverage of another.
    cover(
      ctx: WriteContext,
      sourceInOrg: { source: SourceRow; org: OrgRow | null; visible: boolean },
      releases: readonly ReleaseRow[],
    ): Promise<ReadonlySet<string>>;
  };
  releases: {
    // Called after sources were hidden, moved, deleted, restored or relabelled: what their releases copy of them follows.
    relist(ctx: WriteContext, sourceIds: readonly string[]): Promise<void>;
    // Called after an org has won or lost sources.
    countOrg(ctx: WriteContext, orgId: string | null): Promise<void>;
    // The figures of a new source.
    countNew(ctx: WriteContext, sourceId: string): Promise<void>;
    // Deletes the rows of sources by `erase`, and all that other sources and the index hold of their releases.
    erase(ctx: WriteContext, sourceIds: readonly string[], erase: () => Promise<void>): Promise<void>;
  };
  packages: {
    // A source has new releases: versions that are listed already find them.
    releasesAdded(ctx: WriteContext, added: { sourceId: string; releaseIds: readonly string[] }): Promise<void>;
  };
  settings: {
    // Called after the settings of a source changed; a job then applies them to its stored releases.
    changed(ctx: WriteContext, before: SourceRow, after: SourceRow): Promise<void>;
  };
  readings: {
    // Enqueues the work on readings that were ordered in this transaction.
    enqueue(ctx: WriteContext, orders: readonly OrderedReading[]): Promise<void>;
  };
  webhooks: {
    // Writes one release.created event per release; returns how many were new. A release that this transaction has
    // inserted has none yet.
    recordEvents(
      ctx: WriteContext,
      releases: readonly AnnouncedRelease[],
      options?: { justInserted?: boolean },
    ): Promise<number>;
    // Whether the release has an event.
    eventExists(ctx: WriteContext, releaseId: string): Promise<boolean>;
    // Called after a verdict changed, except by a change of rules: webhooks look at the announced ones again.
    noteReclassified(ctx: WriteContext, releaseIds: readonly string[]): Promise<void>;
    // Deletes webhooks that name a deleted entity.
    dropTargets(ctx: WriteContext, deleted: DeletedEntities): Promise<void>;
    // Moves webhooks along with a source that has a new owner, or deletes them.
    moveTarget(ctx: WriteContext, source: SourceRow): Promise<void>;
    // Pauses and resumes the webhooks of an account together with the account.
    pauseOwner(ctx: WriteContext, input: { userId: string; paused: boolean }): Promise<void>;
  };
  vectors: {
    // Nearest first; an unavailable embedder or index degrades the result instead of throwing.
    search(ctx: Context, search: VectorSearch): Promise<VectorAnswer>;
    // The vector of a release or entity in the space in use.
    stored(ctx: Context, thing: { kind: VectorKind; ref: string }): Promise<StoredVector>;
    // Called after a commit that wrote vectors, so that the index of this process reads them at once.
    follow(ctx: Context): Promise<void>;
    status(): VectorStatus;
    close(): Promise<void>;
  };
}

// Facts about the response being made, which decide its cache headers and whether it may be cached.
interface AnswerInfo {
  // The response contains hidden content, which shared caches must not store.
  containsHidden: boolean;
  // A part of the service was unavailable, so a later response may be better.
  degraded: boolean;
  // Ids of the orgs, products, sources and collections that the response depends on, collected while it is made. Null
  // when they are not needed.
  shows: Set<string> | null;
  // The response depends on the whole registry, such as the matches of a search.
  showsRegistry: boolean;
}

export function plainAnswer(): AnswerInfo {
  return { containsHidden: false, degraded: false, shows: null, showsRegistry: false };
}

// Records that the response depends on these entities; it may be cached until one of them changes.
export function addDependencies({ answer }: Context, ...ids: readonly (string | null)[]): void {
  for (const id of ids) if (id !== null) answer.shows?.add(id);
}

export type WriteContext = Context & { tx: Tx };

// The client has closed its connection, so the work for it goes no further.
export class ClientGone extends Error {}

// Reads for somebody who has gone end here; what is being written is written.
export function queries(ctx: Context): Queries {
  if (ctx.tx) return ctx.tx;
  if (ctx.isAbandoned?.()) throw new ClientGone();
  return ctx.store.read;
}

export function systemClock(): Date {
  return new Date();
}

export function now(ctx: Context): string {
  return ctx.clock().toISOString();
}

// Runs the work in the open transaction of the context, or in a new one.
export function transact<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
  kind: WriteKind = 'catalog',
): Promise<T> {
  if (ctx.tx) return work(ctx as WriteContext);
  return ctx.store.transaction((tx) => work({ ...ctx, tx }), kind);
}
