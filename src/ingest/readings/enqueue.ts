// One job for all readings of a package, so that nothing of it is read twice at once.
import type { WriteContext } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { askerPriority } from '../../domain/readings/reading.ts';
import type { OrderedReading } from '../../ports.ts';
import { NO_HOST } from '../adapters/contract.ts';
import { enqueue } from '../queue/enqueue.ts';
import { LIST_HOST } from '../queue/job.ts';

const PREFIX = 'reading:';

export async function enqueueReadings(ctx: WriteContext, ordered: readonly OrderedReading[]): Promise<void> {
  if (ordered.length === 0) return;
  // The most urgent order of a package comes last and stays.
  const falling = [...ordered].sort((one, other) => other.priority - one.priority);
  await enqueue(
    ctx,
    falling.map((one) => ({
      key: `${PREFIX}${packageKey(one)}`,
      kind: 'reading' as const,
      priority: one.priority,
      host: one.priority >= askerPriority('list') ? LIST_HOST : NO_HOST,
    })),
  );
}

export function packageOfJob(key: string): string {
  return key.slice(PREFIX.length);
}
