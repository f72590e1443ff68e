// Operator actions on incoming messages: list, mark, archive, delete. The same for feedback and recommendations.
import { type SelectQueryBuilder, sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { TriageChange } from '../../contract/feedback.ts';
import type { FeedbackRow, RecommendationRow } from '../../store/schema/operation.ts';
import { recordAudit } from '../audit.ts';
import type { CursorPage } from './cursor-list.ts';

export interface TriageInput extends CursorPage {
  status?: string;
  type?: string;
  includeArchived?: boolean;
}

interface TriagedRows {
  feedback: FeedbackRow;
  recommendations: RecommendationRow;
}
type TriagedTable = keyof TriagedRows;

const ENTITIES = { feedback: 'feedback', recommendations: 'recommendation' } as const;

// biome-ignore lint/suspicious/noExplicitAny: two tables that share these columns
type TriageQuery<Row> = SelectQueryBuilder<any, any, Row>;

export function triaged<Row>(query: TriageQuery<Row>, input: TriageInput, alias: string): TriageQuery<Row> {
  let narrowed = query;
  if (input.status) narrowed = narrowed.where(`${alias}.status`, '=', input.status);
  if (input.type) narrowed = narrowed.where(`${alias}.type`, '=', input.type);
  if (!input.includeArchived) narrowed = narrowed.where(`${alias}.archived_at`, 'is', null);
  return narrowed;
}

export async function changeTriage<T extends TriagedTable>(
  ctx: Context,
  input: { table: T; id: string; change: TriageChange },
): Promise<TriagedRows[T]> {
  const { table, id, change } = input;
  return transact(ctx, async (ctx) => {
    const stored = await find(ctx, table, id);
    const status = change.status ?? stored.status;
    const archived_at = archivedAt(ctx, stored, change.archived);
    await sql`UPDATE ${sql.table(table)} SET status = ${status}, archived_at = ${archived_at} WHERE id = ${id}`.execute(
      ctx.tx,
    );
    const entity = ENTITIES[table];
    const before = { status: stored.status, archivedAt: stored.archived_at };
    const after = { status, archivedAt: archived_at };
    await recordAudit(ctx, { action: `${entity}.update`, targetType: entity, targetId: id, before, after });
    return { ...stored, status, archived_at };
  });
}

function archivedAt(ctx: WriteContext, stored: { archived_at: string | null }, archived: boolean | undefined) {
  if (archived === undefined) return stored.archived_at;
  return archived ? (stored.archived_at ?? now(ctx)) : null;
}

// The sender's data is deleted too, so the audit row contains no text of the message.
export async function deleteTriaged(
  ctx: Context,
  { table, id }: { table: TriagedTable; id: string },
): Promise<{ deleted: true; id: string }> {
  return transact(ctx, async (ctx) => {
    await find(ctx, table, id);
    await ctx.tx.deleteFrom(table).where('id', '=', id).execute();
    await recordAudit(ctx, { action: `${ENTITIES[table]}.delete`, targetType: ENTITIES[table], targetId: id });
    return { deleted: true, id };
  });
}

async function find<T extends TriagedTable>(ctx: WriteContext, table: T, id: string): Promise<TriagedRows[T]> {
  const { rows } = await sql<TriagedRows[T]>`SELECT * FROM ${sql.table(table)} WHERE id = ${id}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound(ENTITIES[table], id);
  return row;
}
