// Leases: a piece of work belongs to one holder until a time. A holder that dies loses it when that time is over, and
// one that is still working renews it. Leases are stored in the database, with the clock of the service.
import type { Timers } from '../net/timers.ts';
import type { Tx } from './schema/index.ts';
import { findSetting, writeSetting } from './settings.ts';
import type { Store } from './store.ts';

// The end of a lease that is taken at this time.
export function leaseEnd(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

// Leases that were taken or renewed at or before this time have ended.
export function leasesEndedBy(at: Date, ms: number): string {
  return new Date(at.getTime() - ms).toISOString();
}

interface NamedLease {
  name: string;
  // The holder renews the lease by taking it again.
  holder: string;
  at: string;
  ms: number;
}

// A lease on work that has no row: one holder at a time across all processes. Returns false while another process holds
// it.
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
  // Returns false when the lease is lost, so that there is nothing left to renew.
  renew(): Promise<boolean>;
  // A lease survives a few failed renewals.
  onError(error: unknown): void;
}

// Renews a lease until the returned function is called, which waits for the running renewal. Renewals never overlap: of
// two, the older could commit last and shorten the lease.
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
