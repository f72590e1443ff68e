// Ends an order with its result, in one transaction.
import { type RawBuilder, sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { addToCounter } from '../../store/counters.ts';
import type { EvidenceOrderRow, EvidencePairRow } from '../../store/schema/evidence.ts';
import { noteProofs } from './note-proof.ts';

export const COMPARISON_COUNTER = 'comparisons:';

export async function storePair(ctx: WriteContext, row: EvidencePairRow): Promise<void> {
  // A package that could not be had is here now, or still is not.
  await ctx.tx
    .deleteFrom('evidence_pairs')
    .where('from_integrity', '=', row.from_integrity)
    .where('to_integrity', '=', row.to_integrity)
    .where('rules', '=', row.rules)
    .where('status', '=', 'not_available')
    .execute();
  await ctx.tx
    .insertInto('evidence_pairs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['from_integrity', 'to_integrity', 'beside', 'rules']).doNothing())
    .execute();
  if (row.proven > 0) await noteProofs(ctx, row.ecosystem, [row.name]);
  await addToCounter(ctx.tx, `${COMPARISON_COUNTER}${row.status}`, 1);
}

type OrderKey = Pick<EvidenceOrderRow, 'ecosystem' | 'name' | 'from_version' | 'to_version'>;

function isOrder({ ecosystem, name, from_version, to_version }: OrderKey): RawBuilder<boolean> {
  return sql`ecosystem = ${ecosystem} AND name = ${name} AND from_version = ${from_version} AND to_version = ${to_version}`;
}

export async function endOrder(ctx: WriteContext, order: OrderKey): Promise<void> {
  await ctx.tx.deleteFrom('evidence_orders').where(isOrder(order)).execute();
}

export async function postponeOrder(
  ctx: WriteContext,
  order: OrderKey,
  columns: Pick<EvidenceOrderRow, 'attempts' | 'due_at' | 'last_error'>,
): Promise<void> {
  await ctx.tx.updateTable('evidence_orders').set(columns).where(isOrder(order)).execute();
}
