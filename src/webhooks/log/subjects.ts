// What deliveries were about, for people who read the log.
import { type Context, queries } from '../../context.ts';
import { PRIORITY } from '../delivery/delivery.ts';

export interface DeliverySubject {
  kind: 'release' | 'test' | 'gone';
  // Title and version; empty unless it is a release.
  title: string;
  version: string | null;
}

// By the id of the delivery. An event that is stored no longer is `gone`.
export async function deliverySubjects(
  ctx: Context,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliverySubject>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('webhook_deliveries as d')
    .leftJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.id', 'd.priority', 'e.payload'])
    .where('d.id', 'in', [...new Set(deliveryIds)])
    .execute();
  return new Map(rows.map(({ id, priority, payload }) => [id, subjectOf(priority, payload)]));
}

function subjectOf(priority: number, payload: string | null): DeliverySubject {
  if (priority === PRIORITY.test) return { kind: 'test', title: '', version: null };
  if (payload === null) return { kind: 'gone', title: '', version: null };
  const { release } = JSON.parse(payload) as { release: { title: string; version: string | null } };
  return { kind: 'release', title: release.title, version: release.version };
}
