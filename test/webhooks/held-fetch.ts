// A guarded fetch that a test controls: requests wait until the test answers them.
import { setImmediate as breathe } from 'node:timers/promises';
import type { GuardedFetch } from '../../src/net/fetch.ts';
import type { FetchResult } from '../../src/net/result.ts';
import type { FetchRequest } from '../../src/net/trip.ts';

interface HeldRequest {
  url: string;
  eventId: string;
  answer(status: number): void;
  timeOut(): void;
}

interface HeldFetch {
  fetch: GuardedFetch;
  // The waiting requests, in the order of arrival.
  held: HeldRequest[];
  all: HeldRequest[];
  // Resolves once this many requests are waiting.
  holds(count: number): Promise<void>;
}

const TRIP = { redirects: [], requests: 1, bytes: 0 };

export function createHeldFetch(): HeldFetch {
  const held: HeldRequest[] = [];
  const all: HeldRequest[] = [];
  const fetch = (request: FetchRequest) =>
    new Promise<FetchResult>((resolve) => {
      const url = String(request.url);
      const end = (result: FetchResult) => {
        const at = held.indexOf(one);
        if (at >= 0) held.splice(at, 1);
        resolve(result);
      };
      const fail = (failure: 'timeout' | 'aborted', code: 'total' | 'aborted') =>
        end({ ok: false, failure, code, detail: failure, status: null, url, ...TRIP } as FetchResult);
      const body = new Uint8Array();
      const one: HeldRequest = {
        url,
        eventId: request.headers?.['X-Service-Event-Id'] ?? '',
        answer: (status) => end({ ok: true, status, headers: {}, body, truncated: false, finalUrl: url, ...TRIP }),
        timeOut: () => fail('timeout', 'total'),
      };
      request.signal?.addEventListener('abort', () => fail('aborted', 'aborted'), { once: true });
      held.push(one);
      all.push(one);
    });
  return {
    fetch,
    held,
    all,
    async holds(count) {
      while (held.length !== count) await breathe();
    },
  };
}
