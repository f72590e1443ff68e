// What a fetch was asked for, and how far it has come.
import type { Dial } from './connect.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { Guard, GuardOptions } from './guard.ts';
import type { HeaderRecord } from './headers.ts';
import type { HostGate } from './host-gate.ts';
import type { Lookup } from './resolve.ts';
import type { Redirect } from './result.ts';
import type { FetchRules, SettledRules } from './rules.ts';
import type { Timers } from './timers.ts';

export interface FetchRequest extends FetchRules {
  url: string | URL;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: HeaderRecord;
  body?: Uint8Array | string;
  // Replaces the user agent of the client.
  userAgent?: string;
  // The pool of connections to use: those of one key are never used for another. Without it none is pooled.
  poolKey?: string;
  // False skips the politeness limits of the host.
  polite?: boolean;
  // Asked before each redirect, for callers that stay on certain hosts.
  mayRedirect?: (from: URL, to: URL) => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

export interface GuardedFetchOptions extends Omit<GuardOptions, 'resolve'> {
  userAgent: string;
  // Rules for every request of this client; a request may override them.
  rules?: FetchRules;
  gate?: HostGate;
  lookup?: Lookup;
  timers?: Timers;
  // The clock for dates in `Retry-After`.
  clock?: () => Date;
  dial?: Dial;
  ca?: string;
  // The proxy to go through to an address, for a client on a person's machine; a service has none.
  proxyFor?: (url: string) => string | null;
}

export type FetchClient = GuardedFetchOptions & {
  timers: Timers;
  clock: () => Date;
  guard: Guard;
  connections: ConnectionPool;
};

export type PreparedRequest = Omit<FetchRequest, keyof FetchRules> & { rules: SettledRules };

export interface FetchTrip {
  url: URL;
  headers: HeaderRecord;
  leftMs: number;
  redirects: Redirect[];
  requests: number;
  bytes: number;
}
