// The context: the first argument of every function of a capability. Only the composition root (`app.ts`) makes one.
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Caller } from './contract/caller.ts';
import type { GuardedFetch } from './net/fetch.ts';
import type { Guard } from './net/guard.ts';
import type { RobotsCache } from './net/robots-cache.ts';
import type { Ports } from './ports.ts';
import type { Queries, Tx } from './store/schema/index.ts';
import type { Store, WriteKind } from './store/store.ts';
import { whenComputed } from './threads/computed.ts';

// Keys from which everything that the service encrypts or signs is derived.
export interface ServiceSecrets {
  current: Uint8Array;
  // Older ones, with which stored values can still be read.
  previous: readonly Uint8Array[];
}

// How passwords are turned into what is stored of them, and compared with it.
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

export interface Context {
  store: Store;
  // Set inside a transaction: reads and writes of one call then share it.
  tx?: Tx;
  config: Config;
  // Null: nothing can be encrypted or signed.
  secrets: ServiceSecrets | null;
  // In place of the functions of the sign-in library.
  passwords?: Passwords | undefined;
  clock: () => Date;
  randomBytes: (size: number) => Uint8Array;
  // Outgoing requests go through this fetch alone; `robots` tells who may read the pages of a host.
  fetch: GuardedFetch;
  robots: RobotsCache;
  // Whether an address may be contacted, asked without contacting it.
  guard: Guard;
  log: Logger;
  ports: Ports;
  caller: Caller;
  answer: AnswerFacts;
}

// Facts about the answer being made, on which its cache headers depend and whether it may be cached at all.
interface AnswerFacts {
  // The answer shows hidden content, which shared caches must not hold.
  containsHidden: boolean;
  // A part of the service was missing while the answer was made, so a later answer may be better.
  degraded: boolean;
  // Ids of the orgs, products, sources and collections about which the answer shows something, collected while it is
  // made. Null: nobody asks.
  shows: Set<string> | null;
  // It also shows what hangs on none of these, such as matches of a search.
  showsRegistry: boolean;
}

export function plainAnswer(): AnswerFacts {
  return { containsHidden: false, degraded: false, shows: null, showsRegistry: false };
}

// The answer shows something about these; it may be cached until that changes.
export function noteShown({ answer }: Context, ...ids: readonly (string | null)[]): void {
  for (const id of ids) if (id !== null) answer.shows?.add(id);
}

export type WriteContext = Context & { tx: Tx };

export function queries(ctx: Context): Queries {
  return ctx.tx ?? ctx.store.read;
}

export function now(ctx: Context): string {
  return ctx.clock().toISOString();
}

// Runs the work in the open transaction of the context, or in one of its own. Work that needs a result about a long text is
// rolled back, and runs again when a thread has worked it out.
export function transact<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
  kind: WriteKind = 'catalog',
): Promise<T> {
  if (ctx.tx) return work(ctx as WriteContext);
  return whenComputed(() => ctx.store.transaction((tx) => work({ ...ctx, tx }), kind));
}
