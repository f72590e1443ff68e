// The progress of a job that follows the releases of a source: the last release that it processed, in the order in which they
// were inserted or changed.
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { WriteContext } from '../../context.ts';
import type { Queries, Schema } from '../../store/schema/index.ts';
import { memoryKey, recall } from '../adapters/memory.ts';
import { readMemory, storeMemory } from './memory.ts';

type WorkName = 'articles' | 'media' | 'coverage';

export interface ProgressMark {
  at: string;
  seq: number;
}

// Null while no job was ever ordered.
export async function readMark(db: Queries, sourceId: string, work: WorkName): Promise<ProgressMark | null> {
  return recall(await readMemory(db, sourceId), memoryKey<ProgressMark>(work));
}

export function storeMark(
  ctx: WriteContext,
  sourceId: string,
  mark: Partial<Record<WorkName, ProgressMark>>,
): Promise<void> {
  return storeMemory(ctx, sourceId, mark);
}

// The first order begins at this time; older releases are not processed.
export async function beginMark(
  ctx: WriteContext,
  sourceId: string,
  { work, since }: { work: WorkName; since: number },
): Promise<void> {
  if ((await readMark(ctx.tx, sourceId, work)) !== null) return;
  await storeMark(ctx, sourceId, { [work]: firstMark(since) });
}

export function firstMark(since: number): ProgressMark {
  return { at: new Date(since).toISOString(), seq: 0 };
}

// The condition for releases behind the mark, in the order of `updated_at` and `seq`.
export function behind({ at, seq }: ProgressMark) {
  return (eb: ExpressionBuilder<Schema, 'releases'>): ExpressionWrapper<Schema, 'releases', SqlBool> =>
    eb.or([eb('updated_at', '>', at), eb.and([eb('updated_at', '=', at), eb('seq', '>', seq)])]);
}
