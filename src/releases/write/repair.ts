// The daily check: derived figures and copied columns are compared with their source, and differences are repaired.
import { type Context, transact, type WriteContext } from '../../context.ts';
import { type SourceInOrg, sourceWithOwners } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { effectiveCategory } from '../release-columns.ts';
import { relistSources } from './relist.ts';

const PAGE = 50;

// Returns the number of repaired sources.
export async function repairFigures(ctx: Context): Promise<number> {
  let repaired = 0;
  let after = '';
  for (;;) {
    const ids = await sourceIdsAfter(ctx, after);
    const last = ids.at(-1);
    if (last === undefined) return repaired;
    repaired += await transact(ctx, (ctx) => repairSources(ctx, ids), 'derived');
    after = last;
  }
}

async function sourceIdsAfter(ctx: Context, after: string): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('sources')
    .select('id')
    .where('id', '>', after)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  return rows.map((row) => row.id);
}

async function repairSources(ctx: WriteContext, ids: readonly string[]): Promise<number> {
  const sources = await ctx.tx.selectFrom('sources').selectAll().where('id', 'in', ids).execute();
  let repaired = 0;
  for (const source of sources) {
    const sourceInOrg = await sourceWithOwners(ctx, source);
    const before = await snapshot(ctx, source.id);
    if (await hasWrongCopies(ctx, sourceInOrg)) await relistSources(ctx, [source.id]);
    else await refreshFigures(ctx, { id: source.id, visible: sourceInOrg.visible });
    await refreshOrgCount(ctx, source.org_id);
    const now = await snapshot(ctx, source.id);
    if (before !== now) {
      repaired += 1;
      ctx.log.warn({ source: source.id, before, now }, 'derived figures differed from the releases');
    }
  }
  return repaired;
}

async function snapshot(ctx: WriteContext, sourceId: string): Promise<string> {
  const figures = await ctx.tx
    .selectFrom('source_figures')
    .select(['release_count', 'dated_count', 'latest_version', 'latest_date', 'latest_added_at', 'first_date'])
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const days = await ctx.tx
    .selectFrom('release_days')
    .select(({ fn }) => [
      fn.countAll<number>().as('days'),
      fn.sum<number>('count').as('releases'),
      fn.sum<number>('through').as('through'),
    ])
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return JSON.stringify({
    ...figures,
    days: Number(days?.days ?? 0),
    dated: Number(days?.releases ?? 0),
    through: Number(days?.through ?? 0),
  });
}

// Whether a release has a listing, owner or category that differs from that of its source.
async function hasWrongCopies(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<boolean> {
  const { source, visible } = sourceInOrg;
  const sign = visible ? 1 : -1;
  const wrong = await ctx.tx
    .selectFrom('releases')
    .select('id')
    .where('source_id', '=', source.id)
    .where((eb) => {
      const differs = (column: 'org_id' | 'product_id' | 'effective_category', value: string | null) =>
        value === null ? eb(column, 'is not', null) : eb.or([eb(column, 'is', null), eb(column, '<>', value)]);
      return eb.or([
        differs('org_id', source.org_id),
        differs('product_id', source.product_id),
        differs('effective_category', effectiveCategory(sourceInOrg)),
        eb.and([eb('suppressed', '=', 1), eb('listing', '<>', 0)]),
        eb.and([eb('suppressed', '=', 0), eb('coverage_of', 'is', null), eb('listing', '<>', 2 * sign)]),
        eb.and([eb('suppressed', '=', 0), eb('coverage_of', 'is not', null), eb('listing', '<>', sign)]),
      ]);
    })
    .limit(1)
    .executeTakeFirst();
  return wrong !== undefined;
}
