import { type Context, queries } from '../../context.ts';
import { LOCATOR_KEYS } from '../../contract/manifest.ts';
import type { Location } from '../../contract/org.ts';
import type { ReleaseLocationRow } from '../../store/schema.ts';

// Where an org says, or is known, to publish: canonical first, then by title.
export async function locationRows(ctx: Context, orgId: string): Promise<ReleaseLocationRow[]> {
  const rows = await queries(ctx)
    .selectFrom('release_locations')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.sort((a, b) => b.canonical - a.canonical || compareTitles(a.title, b.title));
}

// Titles first, so that what has a name is read first.
function compareTitles(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

// Ids of products and sources that the reader cannot see are left out.
export function toLocation(row: ReleaseLocationRow, visible: ReadonlySet<string>): Location {
  const set = LOCATOR_KEYS.flatMap((key) => (row[key] === null ? [] : [[key, row[key]] as const]));
  return {
    ...Object.fromEntries(set),
    ...(row.title === null ? {} : { title: row.title }),
    canonical: row.canonical === 1,
    basis: row.basis,
    productId: row.product_id && visible.has(row.product_id) ? row.product_id : null,
    sourceId: row.source_id && visible.has(row.source_id) ? row.source_id : null,
  };
}
