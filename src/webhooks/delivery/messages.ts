// The document of each delivery: that of its event while the release is public, or a test's own.
import { type Context, queries } from '../../context.ts';
import { publicReleases } from '../public-releases.ts';
import type { WaitingDelivery } from './delivery.ts';

// By delivery; what must not be sent any more is missing.
export async function readMessages(
  ctx: Context,
  deliveries: readonly Pick<WaitingDelivery, 'id' | 'event_id' | 'body'>[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ids = new Set<string>();
  for (const { id, body, event_id } of deliveries) {
    if (body === null) ids.add(event_id);
    else found.set(id, body);
  }
  if (ids.size === 0) return found;
  const events = await queries(ctx)
    .selectFrom('events')
    .select(['id', 'payload', 'release_id'])
    .where('id', 'in', [...ids])
    .execute();
  const shown = await publicReleases(
    ctx,
    events.map((event) => event.release_id),
  );
  const payloads = new Map(
    events.filter((event) => shown.has(event.release_id)).map((event) => [event.id, event.payload]),
  );
  for (const { id, body, event_id } of deliveries) {
    const payload = body === null ? payloads.get(event_id) : undefined;
    if (payload !== undefined) found.set(id, payload);
  }
  return found;
}
