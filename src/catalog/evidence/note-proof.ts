// Marks the releases whose own step proves a break: the published package of their version, compared with the one before.
import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';

// Called whenever a comparison is stored, and whenever versions find their releases. A package of a private registry proves
// nothing in public.
export async function noteProofs(ctx: WriteContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT r.id FROM evidence_pairs p
    JOIN package_states s ON s.ecosystem = p.ecosystem AND s.name = p.name AND s.registry IS NULL
    JOIN package_versions f ON f.ecosystem = p.ecosystem AND f.name = p.name AND f.version = p.from_version
      AND f.integrity = p.from_integrity
    JOIN package_versions t ON t.ecosystem = p.ecosystem AND t.name = p.name AND t.version = p.to_version
      AND t.integrity = p.to_integrity
    JOIN releases r ON r.id = t.release_id AND r.proven = 0
    WHERE p.ecosystem = 'npm' AND p.name IN (${sql.join(names)}) AND p.rules = ${sql.lit(RULES_VERSION)} AND p.proven > 0
      AND f.version_sort < t.version_sort
      AND NOT EXISTS (SELECT 1 FROM package_versions m WHERE m.ecosystem = p.ecosystem AND m.name = p.name
        AND m.version_sort > f.version_sort AND m.version_sort < t.version_sort AND m.withdrawn = 0
        AND m.version NOT LIKE '%-%')`.execute(ctx.tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await ctx.tx.updateTable('releases').set({ proven: 1 }).where('id', 'in', ids).execute();
  await ctx.ports.webhooks.noteReclassified(ctx, ids);
}
