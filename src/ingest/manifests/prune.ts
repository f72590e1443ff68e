// Removes locations that a manifest no longer declares. A manifest that suddenly drops most of them may be a mistake, so it
// has to be seen on several days.
import { now, type WriteContext } from '../../context.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { KnownOrg, ManifestMemory } from './known.ts';

const LEAST_DROPPED = 3;
const DAYS_TO_BELIEVE = 3;

export interface Pruning {
  dropped: ReleaseLocationRow[];
  // The manifest drops too much to be applied at once.
  guarded: boolean;
  // The state to store for the next reading.
  shrunk: ManifestMemory['shrunk'];
}

export function judgePruning(
  { locations, memory }: Pick<KnownOrg, 'locations' | 'memory'>,
  read: { keys: ReadonlySet<string>; hash: string; day: string; confirmed: boolean },
): Pruning {
  const declared = locations.filter(({ basis }) => basis === 'declared');
  const dropped = declared.filter(({ match_key }) => !read.keys.has(match_key));
  const shrinks = dropped.length >= LEAST_DROPPED && dropped.length * 2 > declared.length;
  if (!shrinks || read.confirmed) return { dropped, guarded: false, shrunk: null };
  const before = memory.shrunk?.hash === read.hash ? memory.shrunk.days : [];
  const days = [...new Set([...before, read.day])];
  const guarded = days.length < DAYS_TO_BELIEVE;
  return { dropped, guarded, shrunk: guarded ? { hash: read.hash, days } : null };
}

// Removes the rows. Their releases stay, and sources that only the manifest declared are paused.
export async function prune(ctx: WriteContext, rows: readonly ReleaseLocationRow[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.tx
    .deleteFrom('release_locations')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const orphans = rows.flatMap(({ source_id }) => source_id ?? []);
  if (orphans.length === 0) return;
  // Written without an audit row: every row there is a person's change.
  await ctx.tx
    .updateTable('sources')
    .set({ fetch_priority: 'paused', updated_at: now(ctx) })
    .where('id', 'in', orphans)
    .where('discovery', '=', 'agent')
    .where('deleted_at', 'is', null)
    .where('id', 'not in', ctx.tx.selectFrom('audit_log').select('target_id').where('target_id', 'in', orphans))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('release_locations')
        .select('source_id')
        .where('source_id', 'in', orphans)
        .where('deleted_at', 'is', null)
        .$castTo<{ source_id: string }>(),
    )
    .execute();
}
