// Hands newly shown releases, with what stands around them, to whoever writes events.
import type { WriteContext } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import { loadSurroundings } from './surroundings.ts';

export async function announceReleases(ctx: WriteContext, rows: readonly ReleaseRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const surroundings = await loadSurroundings(
    ctx,
    rows.map((row) => row.source_id),
  );
  const announced = rows.flatMap((release) => {
    const near = surroundings.get(release.source_id);
    if (!near) return [];
    const org = near.orgSlug
      ? {
          slug: near.orgSlug,
          name: near.orgName ?? '',
          avatarUrl: near.orgAvatarUrl,
          githubHandle: near.orgGithubHandle,
        }
      : null;
    return {
      release,
      source: { slug: near.sourceSlug, name: near.sourceName, type: near.sourceType },
      org,
      product: near.productSlug ? { slug: near.productSlug, name: near.productName ?? '' } : null,
    };
  });
  return ctx.ports.events.record(ctx, announced);
}
