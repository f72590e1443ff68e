// A source has new releases: versions that are listed already find them, and its packages are due at once.
import { sql } from 'kysely';
import { now, type WriteContext } from '../../context.ts';
import { COMPARED_ECOSYSTEMS } from '../../domain/ecosystems/index.ts';
import { MIN_BETWEEN_MS } from '../../domain/fetching/listing-schedule.ts';
import { noteProofs } from '../evidence/note-proof.ts';

const CHUNK = 500;

export async function notePackagesOf(
  ctx: WriteContext,
  { sourceId, releaseIds }: { sourceId: string; releaseIds: readonly string[] },
): Promise<void> {
  if (releaseIds.length === 0) return;
  const mapped = await ctx.tx
    .selectFrom('packages')
    .select(['ecosystem', 'name'])
    .where('source_id', '=', sourceId)
    .execute();
  if (mapped.length === 0) return;
  for (let start = 0; start < releaseIds.length; start += CHUNK) {
    await sql`UPDATE package_versions SET release_id = r.id
      FROM packages m JOIN releases r ON r.source_id = m.source_id
        AND COALESCE(r.package_part, '') = COALESCE(m.package_part, '')
      WHERE m.source_id = ${sourceId} AND r.id IN (${sql.join(releaseIds.slice(start, start + CHUNK))})
        AND package_versions.ecosystem = m.ecosystem AND package_versions.name = m.name
        AND package_versions.version_sort = r.version_sort AND package_versions.release_id IS NULL`.execute(ctx.tx);
  }
  for (const compared of COMPARED_ECOSYSTEMS) {
    const names = mapped.filter(({ ecosystem }) => ecosystem === compared).map(({ name }) => name);
    for (let start = 0; start < names.length; start += CHUNK) {
      await noteProofs(ctx, compared, names.slice(start, start + CHUNK));
    }
  }
  const at = now(ctx);
  const rested = new Date(ctx.clock().getTime() - MIN_BETWEEN_MS).toISOString();
  // A package that was read a moment ago is read again ten minutes after that.
  await sql`UPDATE package_states SET next_read_at = CASE WHEN COALESCE(checked_at, '') <= ${rested} THEN ${at}
      ELSE ${new Date(ctx.clock().getTime() + MIN_BETWEEN_MS).toISOString()} END
    WHERE next_read_at > ${at} AND EXISTS (SELECT 1 FROM packages m WHERE m.source_id = ${sourceId}
      AND m.ecosystem = package_states.ecosystem AND m.name = package_states.name)`.execute(ctx.tx);
}
