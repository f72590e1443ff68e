// One job for all readings of a package, so that nothing of it is read twice at once.
import type { WriteContext } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { askerPriority } from '../../domain/readings/reading.ts';
import type { OrderedReading } from '../../ports.ts';
import { NO_HOST } from '../adapters/contract.ts';
import { enqueue } from '../queue/enqueue.ts';
import { LIST_HOST } from '../queue/job.ts';

const PREFIX = 'reading:';
// A place in line is a time; all of them have come, so that nobody waits while nothing is worked on.
const EARLIER_MS = 10 * 60_000;
const NAMES = 200;

// A package is worked on at the place of its most urgent reading.
export async function enqueueReadings(ctx: WriteContext, ordered: readonly OrderedReading[]): Promise<void> {
  const names = [...new Set(ordered.map(({ name }) => name))];
  for (let start = 0; start < names.length; start += NAMES) {
    const rows = await ctx.tx
      .selectFrom('readings')
      .select(['ecosystem', 'name', 'priority', 'turn_at'])
      .where('ended_at', 'is', null)
      .where('ecosystem', 'in', [...new Set(ordered.map(({ ecosystem }) => ecosystem))])
      .where('name', 'in', names.slice(start, start + NAMES))
      .orderBy('priority', 'desc')
      .orderBy('turn_at', 'desc')
      .execute();
    await enqueue(
      ctx,
      rows.map((row) => ({
        key: `${PREFIX}${packageKey(row)}`,
        kind: 'reading' as const,
        priority: row.priority,
        dueAt: new Date(Date.parse(row.turn_at) - EARLIER_MS).toISOString(),
        host: row.priority > askerPriority('person') ? LIST_HOST : NO_HOST,
      })),
    );
  }
}

export function packageOfJob(key: string): string {
  return key.slice(PREFIX.length);
}
