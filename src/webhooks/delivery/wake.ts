// A subscription for which something waits is looked at by the next claim of any worker.
import { sql } from 'kysely';
import type { Queries } from '../../store/schema/index.ts';

export async function wakeSubscriptions(tx: Queries, ids: readonly string[], at: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('webhook_subscriptions')
    .set({
      // Whoever had no turn yet queues up as of its creation.
      claimed_at: sql<string>`COALESCE(claimed_at, created_at)`,
      next_due_at: sql<string>`CASE WHEN next_due_at < ${at} THEN next_due_at ELSE ${at} END`,
    })
    .where('id', 'in', ids)
    .execute();
}
