// Runs the adapter of a source. Every error becomes a typed outcome.

import type { Context } from '../../context.ts';
import { isPackagePage } from '../../domain/package-page.ts';
import { TaskStopped } from '../../threads/task.ts';
import { createAdapterContext, toolsOf } from '../adapters/adapter-context.ts';
import { type AdapterInput, type AdapterResult, adapterResult } from '../adapters/contract.ts';
import { SOURCE_TYPE_DESCRIPTORS } from '../adapters/index.ts';
import { stoppedParsing } from '../adapters/outcomes.ts';
import { readPackagePage } from '../package-notes/package-page.ts';
import type { PipelineRun } from './report.ts';
import type { FetchSubject } from './subject.ts';
import { wasWithdrawn } from './withdraw.ts';

export async function readSource(ctx: Context, { subject, options }: PipelineRun): Promise<AdapterResult> {
  const { tools = toolsOf(ctx), signal } = options;
  const adapterCtx = createAdapterContext(ctx, { model: tools.model, signal });
  try {
    const input = inputFor(subject, options);
    const replaced = tools.adapters?.[subject.reader];
    if (!replaced && isPackagePage(subject.source)) return await readPackagePage(ctx, adapterCtx, input);
    const fetch = replaced ?? SOURCE_TYPE_DESCRIPTORS[subject.reader].fetch;
    return await fetch(adapterCtx, input);
  } catch (err) {
    if (err instanceof TaskStopped) {
      ctx.log.warn({ source: subject.source.id, limit: err.message }, 'reading a document met a limit and was stopped');
      return adapterResult(adapterCtx, stoppedParsing(err));
    }
    ctx.log.error({ err, source: subject.source.id, adapter: subject.reader }, 'an adapter failed');
    // The message may contain text of the source, so only its kind is logged.
    return adapterResult(adapterCtx, { outcome: 'error', detail: `internal: ${kindOf(err)}` });
  }
}

export function inputFor(
  subject: FetchSubject,
  { trigger, dryRun, max, backfill }: PipelineRun['options'],
): AdapterInput {
  const { source, names, validators, memory, stored, firstFetch, changelog } = subject;
  const withdrawn = stored.rows.filter(wasWithdrawn);
  return {
    source,
    names,
    // A dry run reads the whole document, even when it has not changed.
    validators: dryRun ? [] : validators,
    memory: dryRun ? {} : memory,
    known: {
      guids: new Set(stored.rows.flatMap((row) => row.guid ?? [])),
      urls: new Set(stored.rows.flatMap((row) => row.url ?? [])),
      count: stored.rows.length,
      withdrawn: new Set(withdrawn.flatMap((row) => row.guid ?? [])),
    },
    changelog,
    firstFetch,
    backfill: backfill ?? null,
    // The caller of a lookup waits, so the first fetch reads one page.
    pages: trigger === 'lookup' && firstFetch ? 1 : undefined,
    max,
  };
}

export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `${error.name} ${code}` : error.name;
}
