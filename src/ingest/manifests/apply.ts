// Makes the surveyed places rows and sources, inside the transaction of the caller.
import { createSource } from '../../catalog/sources/create.ts';
import { refuseBlocked } from '../../catalog/sources/refuse-blocked.ts';
import { updateSource } from '../../catalog/sources/update.ts';
import { now, type WriteContext } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { PlanStep } from '../../contract/manifest-sync.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue } from '../queue/enqueue.ts';
import { fetchKey } from '../schedule/fetch-jobs.ts';
import type { KnownOrg } from './known.ts';
import { writeLocation } from './locations.ts';
import type { NewSource } from './prove-locator.ts';
import { readerOf, type Surveyed, type Wanted } from './survey.ts';

// `known` is read in this transaction: what others have made since the survey is matched, not made twice.
export async function applySurvey(
  ctx: WriteContext,
  known: KnownOrg,
  surveyed: readonly Surveyed[],
  productIds: readonly string[],
): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  for (const place of surveyed) {
    const productId = productOf(place, productIds);
    const step = await applyPlace(ctx, known, place, productId);
    const stored = known.locations.find(({ match_key }) => match_key === place.key);
    const { key, locator, basis } = place;
    await writeLocation(ctx, known.org.id, stored, { key, locator, basis, productId, sourceId: step.sourceId ?? null });
    steps.push(step);
  }
  return steps;
}

// What `applySurvey` would do, told without doing it.
export function planOf(known: KnownOrg, surveyed: readonly Surveyed[]): PlanStep[] {
  return surveyed.map((place) => {
    const reader = readerOf(known, place);
    if (reader) return { locator: place.locator, action: 'match', sourceId: reader.id };
    return stepOf(place);
  });
}

async function applyPlace(
  ctx: WriteContext,
  known: KnownOrg,
  place: Surveyed,
  productId: string | null,
): Promise<PlanStep> {
  const reader = readerOf(known, place);
  if (reader) {
    if (reader.product_id === null && productId !== null) await updateSource(ctx, { src: reader.id }, { productId });
    return { locator: place.locator, action: 'match', sourceId: reader.id };
  }
  const step = stepOf(place);
  if (place.finding?.action !== 'create') return step;
  if (await isBlocked(ctx, known, place.finding.source.url)) {
    return { locator: place.locator, action: 'skip', reason: 'blocked_url' };
  }
  const source = await addSource(ctx, known, place, place.finding.source, productId);
  known.sources.push(source);
  return { ...step, sourceId: source.id };
}

function stepOf({ locator, finding }: Surveyed): PlanStep {
  // Its source was there during the survey and is gone now: the next run asks about it.
  if (finding === null) return { locator, action: 'skip', reason: 'source_deleted' };
  const { action, reason } = finding;
  return { locator, action, ...(reason === undefined ? {} : { reason }) };
}

async function addSource(
  ctx: WriteContext,
  { org }: KnownOrg,
  { locator }: Wanted,
  source: NewSource,
  productId: string | null,
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

function productOf({ product }: Wanted, ids: readonly string[]): string | null {
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
