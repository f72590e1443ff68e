import { type Context, queries } from '../../context.ts';
import { bytesOf, dequantise, normalise } from '../../domain/embedding/quantise.ts';
import type { VectorKind } from '../../ports.ts';

/** Null while it has none in this space. */
export async function keptVector(
  ctx: Context,
  { space, kind, ref }: { space: string; kind: VectorKind; ref: string },
): Promise<Float32Array | null> {
  const kept = queries(ctx)
    .selectFrom('vectors')
    .select(['vectors.scale', 'vectors.data'])
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('deleted', '=', 0);
  const row =
    kind === 'release'
      ? await kept
          .innerJoin('releases', 'releases.seq', 'vectors.key')
          .where('releases.id', '=', ref)
          .executeTakeFirst()
      : await kept.where('vectors.ref', '=', ref).executeTakeFirst();
  return row ? normalise(dequantise({ scale: row.scale, data: bytesOf(row.data) })) : null;
}
