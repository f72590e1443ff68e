// The worker's tasks of insight: summaries and overviews, and their refinement by a configured model.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { dropUnwantedOverviews } from '../entities/overviews/stale.ts';
import { createModel, meteredModel } from '../insight/model/index.ts';
import { dueOverviews } from '../insight/overviews/due-overviews.ts';
import { writeOverviewOf } from '../insight/overviews/write-overview.ts';
import { rederiveReleases } from '../insight/rederivation/rederive-releases.ts';
import { refineReleases } from '../insight/refinement/refine-releases.ts';
import { writeDueSummaries } from '../insight/summaries/due-sources.ts';
import type { BackgroundTask } from './worker.ts';

const MINUTE = 60_000;

export const WRITING: readonly BackgroundTask[] = [
  { name: 'summaries', everyMs: 5 * MINUTE, run: writeSummaries },
  { name: 'overviews', everyMs: 30 * MINUTE, run: writeOverviews },
  { name: 'refine', everyMs: MINUTE, run: refine },
  { name: 'rederive', everyMs: MINUTE, run: rederive },
];

async function writeSummaries(ctx: Context, signal: AbortSignal) {
  await writeDueSummaries(ctx, signal);
  return 'idle' as const;
}

async function writeOverviews(ctx: Context, signal: AbortSignal) {
  const model = modelFor(ctx, 'overview');
  await dropUnwantedOverviews(ctx);
  for (const subject of await dueOverviews(ctx)) {
    if (signal.aborted) break;
    await writeOverviewOf(ctx, subject, model);
    await nextTurn();
  }
  return 'idle' as const;
}

async function rederive(ctx: Context, signal: AbortSignal) {
  return (await rederiveReleases(ctx, signal)) ? ('more' as const) : ('idle' as const);
}

async function refine(ctx: Context, signal: AbortSignal) {
  const model = modelFor(ctx, 'enrichment');
  const more = model !== null && (await refineReleases(ctx, model, signal));
  return more ? ('more' as const) : ('idle' as const);
}

function modelFor(ctx: Context, operation: string) {
  const { model } = ctx.config;
  if (model === null) return null;
  return meteredModel(ctx, createModel(model, ctx), { operation, dailyTokens: model.dailyTokens });
}
