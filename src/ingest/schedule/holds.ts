// Held sources, and an operator who accepts what one of them has brought.

import { type Context, now, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { HeldSource } from '../../contract/holds.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { recordAudit } from '../../entities/audit.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { hostOf } from '../adapters/index.ts';
import { enqueue } from '../queue/enqueue.ts';
import { fetchKey } from './fetch-jobs.ts';
import { holdOf } from './flood.ts';

// The source is polled as before, and its next run stores what it finds without announcing it.
export async function acceptHold(ctx: Context, src: string): Promise<HeldSource> {
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, { src });
    const hold = await holdOf(ctx, source.id);
    if (!hold || hold.accepted_at !== null) throw notFound('hold', source.id);
    await ctx.tx
      .updateTable('source_holds')
      .set({ accepted_at: now(ctx) })
      .where('source_id', '=', source.id)
      .execute();
    const resumed = { fetch_priority: hold.fetch_priority, next_fetch_after: null };
    await ctx.tx.updateTable('sources').set(resumed).where('id', '=', source.id).execute();
    const host = hostOf(source, ctx.config.upstream);
    const order = { key: fetchKey(source.id), kind: 'fetch', sourceId: source.id, host } as const;
    await enqueue(ctx, { ...order, payload: { anyway: true } });
    const after = { fetchPriority: hold.fetch_priority };
    await recordAudit(ctx, { action: 'source.accept', targetType: 'source', targetId: source.id, after });
    const [row] = await heldRows(ctx).where('h.source_id', '=', source.id).execute();
    if (!row) throw notFound('hold', source.id);
    return row;
  });
}

export async function heldSources(ctx: Context, input: { page: number; limit: number }): Promise<Page<HeldSource>> {
  const waiting = heldRows(ctx).where('h.accepted_at', 'is', null);
  const counted = await waiting
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirst();
  const items = await waiting
    .orderBy('h.held_at', 'desc')
    .orderBy('h.source_id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  return { items, pagination: paginate({ ...input, returned: items.length, total: Number(counted?.total ?? 0) }) };
}

function heldRows(ctx: Context) {
  return queries(ctx)
    .selectFrom('source_holds as h')
    .innerJoin('sources as s', 's.id', 'h.source_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .where('s.deleted_at', 'is', null)
    .select([
      's.id as sourceId',
      's.slug as sourceSlug',
      's.name as sourceName',
      's.url',
      's.type',
      'o.slug as orgSlug',
      'o.name as orgName',
      'h.held_at as heldAt',
      'h.reason',
      'h.found',
      'h.allowed',
      'h.accepted_at as acceptedAt',
    ]);
}
