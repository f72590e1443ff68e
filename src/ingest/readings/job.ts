// Works on the readings of one package, the most urgent first. What was found stays when a worker dies, and another one goes on.

import { type Context, now, transact } from '../../context.ts';
import type { ReadingPart } from '../../contract/reading.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { packageOfKey } from '../../domain/published-package.ts';
import { MAX_READING_MS } from '../../domain/readings/reading.ts';
import { partsOfReading } from '../../packages/readings/describe.ts';
import { toJson } from '../../store/json-text.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';
import type { ClaimedJob, JobLease, JobSurroundings } from '../queue/job.ts';
import { complete, confirmLease, handBack } from '../queue/lease.ts';
import { downloadsFor } from './downloads.ts';
import { packageOfJob } from './enqueue.ts';
import { type PartResult, READERS, type ReadingTools } from './parts.ts';

export async function runReadings(ctx: Context, job: ClaimedJob, { signal, tools }: JobSurroundings): Promise<void> {
  const { lease } = job;
  const named = packageOfKey(packageOfJob(job.key));
  for (let row = await nextReading(ctx, named); row !== null; row = await nextReading(ctx, named)) {
    await readOne(ctx, row, { lease, stopped: signal, model: tools.model });
    if (signal.aborted) return handBack(ctx, lease);
  }
  await transact(ctx, (ctx) => complete(ctx, lease, null), 'bookkeeping');
}

async function nextReading(ctx: Context, named: PackageName | null): Promise<ReadingRow | null> {
  if (named === null) return null;
  const row = await ctx.store.read
    .selectFrom('readings')
    .selectAll()
    .where('ecosystem', '=', named.ecosystem)
    .where('name', '=', named.name)
    .where('ended_at', 'is', null)
    .orderBy('priority')
    .orderBy('turn_at')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

interface Run {
  lease: JobLease;
  // The worker stops.
  stopped: AbortSignal;
  model: ReadingTools['model'];
}

// Short of the limit, so that the last part can still be told.
const MARGIN_MS = 5_000;

async function readOne(ctx: Context, row: ReadingRow, { lease, stopped, model }: Run): Promise<void> {
  const late = AbortSignal.timeout(MAX_READING_MS - MARGIN_MS);
  const signal = AbortSignal.any([stopped, late]);
  const parts = new Map(partsOfReading(row).map((part) => [part.part, part]));
  const save = (columns: Partial<ReadingRow>) =>
    transact(
      ctx,
      async (ctx) => {
        await confirmLease(ctx, lease);
        await ctx.tx
          .updateTable('readings')
          .set({ ...columns, parts: toJson([...parts.values()]) })
          .where('id', '=', row.id)
          .execute();
      },
      'bookkeeping',
    );
  const tell = async (part: ReadingPart) => {
    parts.set(part.part, part);
    await save({});
  };
  await save({ state: 'running', started_at: now(ctx) });
  const downloads = downloadsFor(ctx, row);
  let failure: string | null = null;
  for (const { part, text, read } of READERS) {
    if (parts.get(part)?.state !== 'waiting' && parts.get(part)?.state !== 'running') continue;
    await tell({ part, state: 'running', text: text(row) });
    const result = late.aborted
      ? ({ state: 'failed', text: 'It took too long' } satisfies PartResult)
      : await read(downloads.ctx, row, { lease, signal, model, tell }).catch((err): PartResult => {
          if (stopped.aborted) throw err;
          ctx.log.warn({ err, package: row.name, part }, 'a part of a reading failed');
          return { state: 'failed', text: late.aborted ? 'It took too long' : 'It could not be read' };
        });
    await downloads.settle(part);
    if (stopped.aborted) return;
    parts.set(part, { part, state: result.state, text: result.text, ...counted(result) });
    if (result.ends) {
      failure = result.text;
      break;
    }
    await save({});
  }
  await save({ state: failure === null ? 'done' : 'failed', reason: failure, ended_at: now(ctx) });
}

function counted({ done, of }: PartResult): { done?: number; of?: number } {
  return { ...(done === undefined ? {} : { done }), ...(of === undefined ? {} : { of }) };
}
