import { type Context, queries } from '../../context.ts';
import type { AuditLog } from '../../contract/admin-logs.ts';
import { parseJson } from '../../store/json-text.ts';
import { type CursorPage, readNewest, timeBounds } from './cursor-list.ts';

interface AuditLogInput extends CursorPage {
  actor?: string;
  // The id of the changed entity.
  target?: string;
  action?: string;
  after?: string;
  before?: string;
}

export async function listAuditLog(ctx: Context, input: AuditLogInput): Promise<AuditLog> {
  const { after, before } = timeBounds(ctx, input);
  let query = queries(ctx).selectFrom('audit_log as a').selectAll('a');
  if (input.actor) query = query.where('a.actor', '=', input.actor);
  if (input.target) query = query.where('a.target_id', '=', input.target);
  if (input.action) query = query.where('a.action', '=', input.action);
  if (after) query = query.where('a.created_at', '>=', after);
  if (before) query = query.where('a.created_at', '<=', before);
  const { rows, pagination } = await readNewest(query, input, 'a');
  const items = rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    actor: row.actor,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    before: row.before ? parseJson(row.before) : null,
    after: row.after ? parseJson(row.after) : null,
  }));
  return { items, pagination };
}
