// The body of each delivery: that of its event, or its own, while the release is public; or the body of a test.
import { type Context, now, queries } from '../../context.ts';
import { isTest, type WaitingDelivery } from './delivery.ts';

// The bodies by delivery; deliveries that must not be sent any more are missing.
export async function readMessages(
  ctx: Context,
  deliveries: readonly Pick<WaitingDelivery, 'id' | 'event_id' | 'body' | 'priority'>[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ids = new Set<string>();
  for (const delivery of deliveries) {
    if (isTest(delivery)) found.set(delivery.id, delivery.body ?? '');
    else ids.add(delivery.event_id);
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
    const payload = payloads.get(event_id);
    if (payload !== undefined) found.set(id, body ?? payload);
  }
  return found;
}

const LISTED = 2;

// The releases that are still public; one that has been withdrawn since its event is not sent.
export async function publicReleases(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const at = now(ctx);
  // The query selects by id alone, because with further conditions the planner would scan the whole index of the feed.
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'listing', 'feed_at'])
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.filter(({ listing, feed_at }) => listing === LISTED && feed_at <= at).map(({ id }) => id));
}
