import { now, type WriteContext } from '../../context.ts';
import { announces, type Insertion } from '../../domain/announce.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import { announceReleases } from './announce.ts';
import { orderByAnnouncement } from './order-time.ts';
import { keepPending } from './pending.ts';

type InsertedBy = Pick<Insertion, 'writtenBy'> &
  Partial<Pick<Insertion, 'announce' | 'silent' | 'firstFetch' | 'identityLost'>>;

const DAY_MS = 86_400_000;

// Decides for each inserted release whether it is news, and tells of those whose time has come.
export async function announceInserted(
  ctx: WriteContext,
  write: InsertedBy,
  rows: readonly ReleaseRow[],
): Promise<number> {
  const undatedInRun = rows.filter((row) => row.published_at === null).length;
  const at = now(ctx);
  const due: ReleaseRow[] = [];
  for (const row of rows) {
    const announce = announces({
      listed: row.listing === 2,
      silent: write.silent ?? false,
      announce: write.announce ?? false,
      writtenBy: write.writtenBy,
      firstFetch: write.firstFetch ?? false,
      ageDays: row.published_at ? (Date.parse(at) - Date.parse(row.published_at)) / DAY_MS : null,
      undatedInRun,
      identityLost: write.identityLost ?? false,
    });
    const later = await keepPending(ctx, row, announce);
    if (announce && !later) due.push(row);
  }
  await orderByAnnouncement(ctx, due);
  return announceReleases(ctx, due);
}
