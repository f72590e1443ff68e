// What every layer-3 function is given first. Nothing below the composition root makes any of this itself.
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Caller } from './contract/caller.ts';
import type { GuardedFetch } from './net/fetch.ts';
import type { Guard } from './net/guard.ts';
import type { RobotsCache } from './net/robots-cache.ts';
import type { Ports } from './ports.ts';
import type { Queries, Tx } from './store/schema.ts';
import type { Store, WriteKind } from './store/store.ts';

// What everything encrypted or signed by the service hangs on.
export interface ServiceSecrets {
  current: Uint8Array;
  // Older ones, with which stored values can still be read.
  previous: readonly Uint8Array[];
}

export interface Context {
  store: Store;
  // Set inside a transaction: reads and writes of one call then share it.
  tx?: Tx;
  config: Config;
  // Null: nothing can be encrypted or signed.
  secrets: ServiceSecrets | null;
  clock: () => Date;
  randomBytes: (size: number) => Uint8Array;
  // The only way out, and what hosts say about who may read their pages.
  fetch: GuardedFetch;
  robots: RobotsCache;
  // Whether an address may be contacted, asked without contacting it.
  guard: Guard;
  log: Logger;
  ports: Ports;
  caller: Caller;
  answer: AnswerFacts;
}

// What its headers, and whether it is kept, depend on.
export interface AnswerFacts {
  // It shows what is not shown to everybody.
  unlisted: boolean;
  // Something was out of order while it was made: the next one may be better.
  makeshift: boolean;
}

export function plainAnswer(): AnswerFacts {
  return { unlisted: false, makeshift: false };
}

export type WriteContext = Context & { tx: Tx };

export function queries(ctx: Context): Queries {
  return ctx.tx ?? ctx.store.read;
}

export function now(ctx: Context): string {
  return ctx.clock().toISOString();
}

// Runs the work in the transaction that is open already, or in one of its own.
export function transact<T>(
  ctx: Context,
  work: (ctx: WriteContext) => Promise<T>,
  kind: WriteKind = 'catalog',
): Promise<T> {
  if (ctx.tx) return work(ctx as WriteContext);
  return ctx.store.transaction((tx) => work({ ...ctx, tx }), kind);
}
