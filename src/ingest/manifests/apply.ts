// Turns surveyed locations into rows and sources, inside the transaction of the caller.

import { now, type WriteContext } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { PlanStep } from '../../contract/manifest-sync.ts';
import { createSource } from '../../entities/sources/create.ts';
import { refuseBlocked } from '../../entities/sources/refuse-blocked.ts';
import { updateSource } from '../../entities/sources/update.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue } from '../queue/enqueue.ts';
import { fetchKey } from '../schedule/fetch-jobs.ts';
import type { KnownOrg } from './known.ts';
import { type NewSource, writeLocation } from './probe-locator.ts';
import { readerOf, type Surveyed, type WantedLocation } from './survey.ts';

interface SurveyToApply {
  // Read in the same transaction, so that what others have created since the survey is matched and not created twice.
  known: KnownOrg;
  surveyed: readonly Surveyed[];
  productIds: readonly string[];
}

export async function applySurvey(
  ctx: WriteContext,
  { known, surveyed, productIds }: SurveyToApply,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  for (const location of surveyed) {
    const productId = productOf(location, productIds);
    const step = await applyLocation(ctx, { known, location, productId });
    const stored = known.locations.find(({ match_key }) => match_key === location.key);
    const { key, locator, basis } = location;
    await writeLocation(ctx, {
      orgId: known.org.id,
      stored,
      found: { key, locator, basis, productId, sourceId: step.sourceId ?? null },
    });
    steps.push(step);
  }
  return steps;
}

// The steps that `applySurvey` would take, for a dry run.
export function planOf(known: KnownOrg, surveyed: readonly Surveyed[]): PlanStep[] {
  return surveyed.map((location) => {
    const reader = readerOf(known, location);
    if (reader) return { locator: location.locator, action: 'match', sourceId: reader.id };
    return stepOf(location);
  });
}

async function applyLocation(
  ctx: WriteContext,
  { known, location, productId }: { known: KnownOrg; location: Surveyed; productId: string | null },
): Promise<PlanStep> {
  const reader = readerOf(known, location);
  if (reader) {
    if (reader.product_id === null && productId !== null) await updateSource(ctx, { src: reader.id }, { productId });
    return { locator: location.locator, action: 'match', sourceId: reader.id };
  }
  const step = stepOf(location);
  if (location.finding?.action !== 'create') return step;
  if (await isBlocked(ctx, known, location.finding.source.url)) {
    return { locator: location.locator, action: 'skip', reason: 'blocked_url' };
  }
  const source = await addSource(ctx, { known, location, source: location.finding.source, productId });
  known.sources.push(source);
  return { ...step, sourceId: source.id };
}

function stepOf({ locator, finding }: Surveyed): PlanStep {
  // The source existed during the survey and was deleted since: the next sync checks the location again.
  if (finding === null) return { locator, action: 'skip', reason: 'source_deleted' };
  const { action, reason } = finding;
  return { locator, action, ...(reason === undefined ? {} : { reason }) };
}

async function addSource(
  ctx: WriteContext,
  {
    known: { org },
    location: { locator },
    source,
    productId,
  }: { known: KnownOrg; location: WantedLocation; source: NewSource; productId: string | null },
): Promise<SourceRow> {
  const { id } = await createSource(ctx, {
    ...source,
    orgId: org.id,
    ...(productId === null ? {} : { productId }),
    isPrimary: locator.canonical ?? false,
    discovery: 'agent',
  });
  const row = await ctx.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (row.fetch_priority !== 'paused') {
    const host = hostOf(row, ctx.config.upstream);
    await enqueue(ctx, { key: fetchKey(id), kind: 'fetch', sourceId: id, host });
  }
  return row;
}

async function isBlocked(ctx: WriteContext, { org }: KnownOrg, url: string): Promise<boolean> {
  try {
    await refuseBlocked(ctx, url, org);
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

function productOf({ product }: WantedLocation, ids: readonly string[]): string | null {
  if (product === null) return null;
  return 'id' in product ? product.id : (ids[product.index] ?? null);
}

export async function pauseProducts(ctx: WriteContext, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return;
  await ctx.tx
    .updateTable('sources')
    .set({ fetch_priority: 'paused', updated_at: now(ctx) })
    .where('product_id', 'in', productIds)
    .where('fetch_priority', '<>', 'paused')
    .where('deleted_at', 'is', null)
    .execute();
}
