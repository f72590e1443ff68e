import { now, type WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { toJson } from '../store/json-text.ts';
import { holdToEnd } from '../store/pipeline.ts';

interface AuditEntry {
  action: string;
  targetType: string;
  targetId: string;
  before?: unknown;
  after?: unknown;
}

// One row per operator write, in the same transaction. Background work of the service writes none.
export async function recordAudit(ctx: WriteContext, entry: AuditEntry): Promise<void> {
  if (ctx.caller.kind === 'system') return;
  const row = ctx.tx.insertInto('audit_log').values({
    id: newId('aud', ctx.randomBytes),
    actor: ctx.caller.name,
    action: entry.action,
    target_type: entry.targetType,
    target_id: entry.targetId,
    before: entry.before === undefined ? null : toJson(entry.before),
    after: entry.after === undefined ? null : toJson(entry.after),
    created_at: now(ctx),
  });
  holdToEnd(ctx.tx, [row.compile()]);
}
