// Finds sources whose summaries are due for a check: releases have changed since the last check, or a day has passed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Context, now, queries, transact } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { findSource } from '../../entities/resolve.ts';
import { writeSummaries } from './write-summaries.ts';

const PAGE = 50;

// Checks every source that is due until the signal is aborted; returns how many it checked.
export async function writeDueSummaries(ctx: Context, signal?: AbortSignal): Promise<number> {
  let looked = 0;
  for (let after = ''; !signal?.aborted; ) {
    const due = await dueSources(ctx, after);
    for (const { source_id, changed_at } of due) {
      if (signal?.aborted) return looked;
      const sourceInOrg = await findSource(ctx, { src: source_id });
      if (sourceInOrg?.visible) await writeSummaries(ctx, sourceInOrg);
      await notePass(ctx, source_id, changed_at);
      // SQLite answers synchronously, so without this pause the event loop would be blocked until all sources are done.
      await nextTurn();
      looked += 1;
    }
    const last = due.at(-1);
    if (!last || due.length < PAGE) return looked;
    after = last.source_id;
  }
  return looked;
}

function dueSources(ctx: Context, after: string) {
  return (
    queries(ctx)
      .selectFrom('source_figures as f')
      .leftJoin('summary_passes as p', 'p.source_id', 'f.source_id')
      .select(['f.source_id', 'f.changed_at'])
      .where('f.source_id', '>', after)
      // A source whose last release was withdrawn may still have summaries.
      .where((eb) =>
        eb.or([
          eb('f.release_count', '>', 0),
          eb.exists(eb.selectFrom('summaries as t').select('t.id').whereRef('t.source_id', '=', 'f.source_id')),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('p.source_id', 'is', null),
          eb('p.changed_at', '!=', eb.ref('f.changed_at')),
          eb('p.day', '!=', utcDay(now(ctx))),
        ]),
      )
      .orderBy('f.source_id')
      .limit(PAGE)
      .execute()
  );
}

async function notePass(ctx: Context, sourceId: string, changedAt: string): Promise<void> {
  const columns = { changed_at: changedAt, day: utcDay(now(ctx)) };
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('summary_passes')
        .values({ source_id: sourceId, ...columns })
        .onConflict((conflict) => conflict.column('source_id').doUpdateSet(columns))
        .execute(),
    'bookkeeping',
  );
}
