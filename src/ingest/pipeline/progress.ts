// How far a job that works behind the releases of a source has come: the last one that it looked at, in the order in
// which they came or changed. Kept beside the validators of the source.
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { WriteContext } from '../../context.ts';
import type { Queries, Schema } from '../../store/schema.ts';
import { storeValidators } from './store-run.ts';

export interface Mark {
  at: string;
  seq: number;
}

/** Null while nothing was ever ordered. */
export async function readMark(db: Queries, sourceId: string, endpoint: string): Promise<Mark | null> {
  const row = await db
    .selectFrom('source_validators')
    .select(['last_modified', 'content_hash'])
    .where('source_id', '=', sourceId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst();
  return row?.last_modified ? { at: row.last_modified, seq: Number(row.content_hash) } : null;
}

export async function storeMark(ctx: WriteContext, sourceId: string, endpoint: string, mark: Mark): Promise<void> {
  const validator = { endpoint, etag: null, lastModified: mark.at, contentHash: String(mark.seq) };
  await storeValidators(ctx, sourceId, [{ ...validator, tokenFingerprint: null }]);
}

/** The first order begins with what came since then; what is older stays as it is. */
export async function beginMark(ctx: WriteContext, sourceId: string, endpoint: string, since: number): Promise<void> {
  if ((await readMark(ctx.tx, sourceId, endpoint)) !== null) return;
  await storeMark(ctx, sourceId, endpoint, { at: new Date(since).toISOString(), seq: 0 });
}

/** Behind the mark, in the order of `updated_at` and `seq`. */
export function behind({ at, seq }: Mark) {
  return (eb: ExpressionBuilder<Schema, 'releases'>): ExpressionWrapper<Schema, 'releases', SqlBool> =>
    eb.or([eb('updated_at', '>', at), eb.and([eb('updated_at', '=', at), eb('seq', '>', seq)])]);
}
