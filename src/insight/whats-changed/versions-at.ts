// The version text at a sort key of each span, for releases outside of the entries that were read.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { asBranch, inUnions, isStoredVersion, ORDER_COLUMN, packageRows, type ReleaseSpan } from './spans.ts';

export async function versionsAt(
  ctx: Context,
  orderKeys: readonly { span: ReleaseSpan; orderKey: string }[],
): Promise<(string | null)[]> {
  const rows = await inUnions(orderKeys, ({ span, orderKey }, slot) => versionAt(ctx, span, orderKey, slot));
  const bySlot = new Map(rows.map(({ slot, version }) => [slot, version]));
  return orderKeys.map((_, slot) => bySlot.get(slot) ?? null);
}

function versionAt(ctx: Context, span: ReleaseSpan, orderKey: string, slot: number) {
  const rows = packageRows(ctx, span)
    .where(ORDER_COLUMN[span.window.by], '=', orderKey)
    .where(isStoredVersion(span))
    .where('r.version', 'is not', null)
    .select([sql.lit(slot).as('slot'), 'r.version'])
    .limit(1);
  return asBranch(ctx, rows);
}
