// Clients of a stopping service: what a load balancer does, and what it must not see.
import assert from 'node:assert/strict';
import type { Client } from '../support/client.ts';

// Long enough for the clients to notice the stop and to send their late requests, on a busy machine too.
export const DRAIN_MS = { REGISTRY_DRAIN_MS: '4000' };

const CALLERS = 4;
// Requests sent after the stop was announced, while the listener is still open.
const LATE_REQUESTS = 3;

interface Seen {
  statuses: number[];
  reason: string;
}

// The service is asked to stop while they send requests; each checks /ready, and leaves soon after it reports the stop.
export async function callAcrossStop(client: Client, stop: () => void): Promise<Seen[]> {
  const callers = Array.from({ length: CALLERS }, () => callUntilStopping(client));
  await client.get('/v1/orgs');
  stop();
  return Promise.all(callers);
}

async function callUntilStopping(client: Client): Promise<Seen> {
  const statuses: number[] = [];
  for (let n = 0; ; n += 1) {
    statuses.push((await client.get(`/v1/orgs?n=${n}`)).status);
    const ready = await client.get('/ready');
    if (ready.status === 200) continue;
    for (let late = 0; late < LATE_REQUESTS; late += 1) statuses.push((await client.get('/v1/stats')).status);
    return { statuses, reason: ready.body.error.details.reason };
  }
}

// Every request that was sent got its response.
export async function assertNothingCutOff(callers: Promise<Seen[]>): Promise<void> {
  for (const { statuses, reason } of await callers) {
    assert.equal(reason, 'stopping');
    assert.deepEqual(statuses, statuses.slice().fill(200));
  }
}
