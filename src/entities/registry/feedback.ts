import { type Context, now, queries, transact } from '../../context.ts';
import type { FeedbackInput, FeedbackList, FeedbackRowShape, TriageChange } from '../../contract/feedback.ts';
import { newId } from '../../domain/ids.ts';
import type { FeedbackRow } from '../../store/schema/operation.ts';
import { readNewest } from './cursor-list.ts';
import { changeTriage, deleteTriaged, type TriageInput, triaged } from './triage.ts';

export async function sendFeedback(ctx: Context, input: FeedbackInput): Promise<{ ok: true; id: string }> {
  return transact(ctx, async (ctx) => {
    const row: FeedbackRow = {
      id: newId('fb', ctx.randomBytes),
      type: input.type,
      message: input.message,
      contact: input.contact || null,
      surface: input.surface || null,
      client_version: input.clientVersion || input.cliVersion || null,
      os: input.os || null,
      status: 'new',
      archived_at: null,
      created_at: now(ctx),
    };
    await ctx.tx.insertInto('feedback').values(row).execute();
    return { ok: true, id: row.id };
  });
}

export async function listFeedback(ctx: Context, input: TriageInput): Promise<FeedbackList> {
  const query = triaged(queries(ctx).selectFrom('feedback as f').selectAll('f'), input, 'f');
  const { rows, pagination } = await readNewest(query, input, 'f');
  return { items: rows.map(shape), nextCursor: pagination.nextCursor, pagination };
}

export async function changeFeedback(
  ctx: Context,
  input: { id: string; change: TriageChange },
): Promise<FeedbackRowShape> {
  return shape(await changeTriage(ctx, { table: 'feedback', ...input }));
}

export async function deleteFeedback(ctx: Context, { id }: { id: string }): Promise<{ deleted: true; id: string }> {
  return deleteTriaged(ctx, { table: 'feedback', id });
}

function shape(row: FeedbackRow): FeedbackRowShape {
  return {
    id: row.id,
    type: row.type,
    message: row.message,
    contact: row.contact,
    surface: row.surface,
    clientVersion: row.client_version,
    cliVersion: row.client_version,
    os: row.os,
    status: row.status,
    archived: row.archived_at !== null,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
  };
}
