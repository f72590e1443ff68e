// Callers of a service that is told to stop: what a load balancer does, and what it must not see.
import assert from 'node:assert/strict';
import type { Client } from '../support/client.ts';

// Long enough for the callers to notice the stop and to send their late requests, on a busy machine too.
export const DRAIN_MS = { REGISTRY_DRAIN_MS: '4000' };

const CALLERS = 4;
// Sent after the stop was announced: the listener is still open.
const LATE_REQUESTS = 3;

interface Seen {
  statuses: number[];
  reason: string;
}

// The service is told to stop while they call; each sends requests, looks at /ready, and leaves soon after that says so.
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

// Nobody who had sent a request was left without its answer.
export async function assertNothingCutOff(callers: Promise<Seen[]>): Promise<void> {
  for (const { statuses, reason } of await callers) {
    assert.equal(reason, 'stopping');
    assert.deepEqual(statuses, statuses.slice().fill(200));
  }
}
