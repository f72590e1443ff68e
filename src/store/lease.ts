// Leases: a piece of work belongs to one holder until a time. Whoever dies loses it when that time is over, and whoever goes on
// working renews it. A lease is taken and proven in the database, under the clock of the service.
import type { Timers } from '../net/timers.ts';
import type { Tx } from './schema/index.ts';
import { findSetting, writeSetting } from './settings.ts';
import type { Store } from './store.ts';

// When a lease ends that is taken at this time.
export function leaseEnd(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

// Leases that were taken or renewed at this time or before have ended.
export function leasesEndedBy(at: Date, ms: number): string {
  return new Date(at.getTime() - ms).toISOString();
}

interface NamedLease {
  name: string;
  // Its holder renews the lease by taking it again.
  holder: string;
  at: string;
  ms: number;
}

// A lease on work that has no row: one holder at a time over all processes. False while another process holds it.
export async function takeNamedLease(
  { dialect }: Pick<Store, 'dialect'>,
  tx: Tx,
  { name, holder, at, ms }: NamedLease,
): Promise<boolean> {
  await dialect.lock(tx, name);
  const row = await findSetting(tx, name);
  if (row && row.value !== holder && row.updated_at > leasesEndedBy(new Date(at), ms)) return false;
  await writeSetting(tx, { key: name, value: holder, updated_at: at });
  return true;
}

interface Renewal {
  everyMs: number;
  timers: Timers;
  // False when the lease is lost: there is nothing left to renew.
  renew(): Promise<boolean>;
  // A lease outlasts a few renewals that fail.
  onError(error: unknown): void;
}

// Renews a lease until the returned function is called, which waits for the renewal that is running. Renewals never
// overlap: of two, the older could commit last and shorten the lease.
export function renewLease({ everyMs, timers, renew, onError }: Renewal): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let cancel = () => {};
  let isOver = false;
  const wait = () => {
    if (isOver) return;
    cancel = timers.after(everyMs, () => {
      running = renew().then(
        (isOurs) => (isOurs ? wait() : undefined),
        (error) => {
          onError(error);
          wait();
        },
      );
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
    return running;
  };
}
