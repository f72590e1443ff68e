// One request on the way of a fetch: it waits for the gate of its host, is checked by the guard, and is sent.
import { follows } from './redirects.ts';
import { type Exchange, sendRequest } from './request.ts';
import { ABORTED, type RequestFailure, timedOut } from './result.ts';
import type { FetchClient, FetchTrip, PreparedRequest } from './trip.ts';

export async function politeHop(client: FetchClient, order: PreparedRequest, trip: FetchTrip): Promise<Exchange> {
  const { gate } = client;
  const leave = gate && order.polite !== false ? await gate.enter(trip.url.host, order.signal) : () => {};
  if (leave === null) return unsent(ABORTED);
  const started = client.timers.now();
  try {
    return await hop(client, order, trip);
  } finally {
    trip.leftMs -= client.timers.now() - started;
    leave();
  }
}

async function hop(
  client: FetchClient,
  { method = 'GET', ...order }: PreparedRequest,
  trip: FetchTrip,
): Promise<Exchange> {
  const { rules, body, signal, userAgent = client.userAgent, poolKey } = order;
  const started = client.timers.now();
  if (signal?.aborted) return unsent(ABORTED);
  const verdict = await client.guard(trip.url, rules, trip.leftMs);
  if (!verdict.ok && verdict.reason === 'unresolved') {
    return unsent({ failure: 'unreachable', code: 'dns_error', detail: verdict.detail });
  }
  if (!verdict.ok) return unsent(refused(verdict.reason));
  const leftMs = trip.leftMs - (client.timers.now() - started);
  if (leftMs <= 0) return unsent(timedOut('total', rules.limits.totalMs));

  trip.requests += 1;
  const skipsBody = (status: number) => follows({ method, rules }, status);
  const message = { method, headers: trip.headers, userAgent, body, skipsBody };
  const { timers, dial, ca, connections } = client;
  const pool = poolKey === undefined ? undefined : { connections, key: `${poolKey} ${trip.url.origin}` };
  const exchange = await sendRequest(verdict.target, message, { timers, dial, ca, signal, leftMs, rules, pool });
  trip.bytes += exchange.received;
  return exchange;
}

export function refused(code: Extract<RequestFailure, { failure: 'refused' }>['code']): RequestFailure {
  return { failure: 'refused', code, detail: `target refused: ${code}` };
}

function unsent(failure: RequestFailure): Exchange {
  return { ok: false, failure, status: null, received: 0 };
}
