// A run that brings more new releases than the source usually has is not stored: the source is held for an operator.

import { type Context, transact, type WriteContext } from '../../context.ts';
import { type FetchOutcome, failureText, wasRead } from '../../domain/fetching/outcome.ts';
import { isPackagePage } from '../../domain/package-page.ts';
import { factsOf } from '../../domain/source-types.ts';
import { recordFetch } from '../../entities/registry/record-fetch.ts';
import { READ_ELSEWHERE } from '../../entities/sources/update.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { complete } from '../queue/lease.ts';
import { endHold, type Flood, floodOf, gainsAfter, holdSource } from '../schedule/flood.ts';
import { storeMemory } from '../state/memory.ts';
import type { Prepared } from './prepare.ts';
import { NOTHING_DONE, type PipelineRun, type RunReport } from './report.ts';

function isFirstTime({ subject: { firstFetch, memory } }: PipelineRun): boolean {
  return firstFetch || memory[READ_ELSEWHERE] === true;
}

// Releases that an import or an operator has brought are not the source's.
const FROM_ELSEWHERE = new Set(['api', 'changelog']);

export async function floodOfRun(ctx: Context, run: PipelineRun, { fresh }: Prepared): Promise<Flood | null> {
  const { subject, options } = run;
  if (subject.accepted) return null;
  const isFirst = isFirstTime(run);
  // The listing of a repository, or the changelog of a package, is read to its end when it is read for the first time.
  const hasHistory = factsOf(subject.reader).isRepository || isPackagePage(subject.source);
  if (hasHistory && (isFirst || options.backfill !== undefined)) return null;
  const own = subject.firstFetch ? subject.stored.rows.filter(({ origin }) => !FROM_ELSEWHERE.has(origin)) : [];
  const { source, memory } = subject;
  return floodOf(ctx, { source, memory, isFirstTime: isFirst, before: own.length, fresh });
}

export async function holdRun(ctx: Context, run: PipelineRun, result: AdapterResult, flood: Flood): Promise<RunReport> {
  const { subject, options, startedAt } = run;
  const { source } = subject;
  ctx.log.warn({ source: source.id, found: flood.found, allowed: flood.allowed }, 'a source is held for an operator');
  const error = failureText('held', flood.reason);
  const log = await transact(
    ctx,
    async (ctx) => {
      const row = await recordFetch(ctx, {
        sourceId: source.id,
        trigger: options.trigger,
        result: 'held',
        error,
        releasesFound: result.items.length,
        releasesInserted: 0,
        durationMs: ctx.clock().getTime() - startedAt,
        httpStatus: result.httpStatus,
        requests: result.requests,
        bytes: result.bytes,
      });
      await holdSource(ctx, source, flood);
      if (options.lease) await complete(ctx, options.lease, null);
      return row;
    },
    'derived',
  );
  return {
    ...NOTHING_DONE,
    status: log.status,
    releasesFound: result.items.length,
    durationMs: log.duration_ms ?? 0,
    error,
    errorCategory: 'held',
    fetchLogId: log.id,
  };
}

// What a first time brings is no habit, and neither is what an operator had to accept.
export async function noteGains(
  ctx: WriteContext,
  run: PipelineRun,
  { outcome, inserted }: { outcome: FetchOutcome; inserted: number },
): Promise<void> {
  const { subject, options } = run;
  const { source, memory, accepted } = subject;
  if (wasRead(outcome) && memory[READ_ELSEWHERE]) await storeMemory(ctx, source.id, { [READ_ELSEWHERE]: null });
  if (wasRead(outcome) && accepted) await endHold(ctx, source.id);
  if (inserted === 0 || accepted || isFirstTime(run) || options.backfill !== undefined) return;
  await storeMemory(ctx, source.id, gainsAfter(ctx, memory, inserted));
}
