// The upgrades that were asked for most, as pages of many show them.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { Breaking } from '../../contract/enums.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { packageViewer, seenPackage } from '../../entities/packages/viewer.ts';
import { visibleSource } from '../../entities/visible.ts';

export interface ShownUpgrade extends PackageName {
  from: string;
  to: string;
  level: Breaking;
  reason: string;
  versions: number;
  breaking: number;
  unnoted: number;
  proven: number;
  likely: number;
  steps: number;
}

// The same for all readers: nothing of a private registry or of a hidden source. Among equals what breaks comes first, and what most
// developers know.
export async function mostAskedUpgrades(ctx: Context, limit: number): Promise<ShownUpgrade[]> {
  ctx.answer.showsRegistry = true;
  const { private: scopes } = await packageViewer(ctx);
  const { rows } = await sql<ShownUpgrade>`
    SELECT u.ecosystem, u.spelling AS name, u.from_version AS "from", u.to_version AS "to", u.level, u.reason, u.versions,
      u.breaking, u.unnoted, u.proven, u.likely, u.steps
    FROM shown_upgrades u
    LEFT JOIN starter_packages w ON w.ecosystem = u.ecosystem AND w.name = u.name
    LEFT JOIN packages m ON m.ecosystem = u.ecosystem AND m.name = u.name
    LEFT JOIN sources s ON s.id = m.source_id LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id
    WHERE u.level IS NOT NULL AND ${seenPackage(scopes, 'u')} AND (m.id IS NULL OR ${visibleSource()}
        OR (s.deleted_at IS NULL AND s.is_hidden = 1 AND s.discovery = 'on_demand'))
    ORDER BY u.asked DESC, CASE u.level WHEN 'major' THEN 0 WHEN 'minor' THEN 1 WHEN 'none' THEN 2 ELSE 3 END,
      CASE WHEN u.steps > 0 THEN 0 ELSE 1 END, COALESCE(w.place, 1000000), u.versions DESC, u.name
    LIMIT ${limit}`.execute(queries(ctx));
  return rows;
}
