// The names of all packages that are known here: those that a visible source tells about, and those that a registry has
// listed.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { visibleSource } from '../visible.ts';
import { packageViewer, seenPackage } from './viewer.ts';

// As a query. Lists of names are the same for all readers, so what belongs to a private registry is left out for everybody.
// `conditions` are over the columns ecosystem and name of an alias.
export async function knownNames(
  ctx: Context,
  conditions: (alias: string) => readonly RawBuilder<boolean>[] = () => [],
): Promise<RawBuilder<PackageName>> {
  const { private: scopes } = await packageViewer(ctx);
  const all = (alias: string) => sql.join([seenPackage(scopes, alias), ...conditions(alias)], sql` AND `);
  return sql<PackageName>`SELECT m.ecosystem, m.name FROM packages m JOIN sources s ON s.id = m.source_id
      LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id
      WHERE ${visibleSource()} AND ${all('m')}
    UNION SELECT t.ecosystem, t.name FROM package_states t WHERE t.listed_at IS NOT NULL AND ${all('t')}`;
}
