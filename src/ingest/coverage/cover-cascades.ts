// Cascades of one repository: new releases and their neighbours within a day.
import type { WriteContext } from '../../context.ts';
import { isCascading, readCascadeBody } from '../../domain/coverage/cascade-body.ts';
import { type CascadeRelease, decideCascades } from '../../domain/coverage/cascades.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { BY_CASCADE, denialsAmong, isManual, linksAround, lockCoverage, writeLinks } from './links.ts';
import { bodiesById, type LightRow, rowsNear } from './rows.ts';

const DAY_MS = 86_400_000;

// Returns whether links were written.
export async function coverCascades(ctx: WriteContext, sourceId: string, fresh: readonly LightRow[]): Promise<boolean> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  const bodies = await bodiesById(
    ctx,
    fresh.map(({ id }) => id),
  );
  // Neighbours are read only when a body looks like one of a monorepo.
  const marked = [...bodies.values()].some((content) => isCascading(readCascadeBody(content)));
  if (!marked) return false;
  const rows = await rowsNear(ctx, { scope: { source: sourceId }, times, windowMs: DAY_MS });
  if (rows.length < 2) return false;

  await lockCoverage(ctx);
  const ids = rows.map(({ id }) => id);
  for (const [id, content] of await bodiesById(
    ctx,
    ids.filter((id) => !bodies.has(id)),
  ))
    bodies.set(id, content);
  const releases = await withLinks(ctx, rows, bodies);
  const decisions = decideCascades(releases, await denialsAmong(ctx, ids));
  await writeLinks(ctx, decisions, BY_CASCADE);
  return decisions.length > 0;
}

async function withLinks(
  ctx: WriteContext,
  rows: readonly LightRow[],
  bodies: ReadonlyMap<string, string>,
): Promise<CascadeRelease[]> {
  const links = await linksAround(
    ctx,
    rows.map(({ id }) => id),
  );
  const byCovered = new Map(links.map((link) => [link.coverage_id, link]));
  const heads = new Set(links.map(({ canonical_id }) => canonical_id));
  const fixed = new Set(links.filter(isManual).map(({ canonical_id }) => canonical_id));
  return rows.map(({ id, version, published_at }) => {
    const link = byCovered.get(id);
    return {
      id,
      name: version === null ? null : versionIdentity(version),
      publishedAt: published_at ?? '',
      body: readCascadeBody(bodies.get(id) ?? ''),
      coveredBy: link
        ? { canonicalId: link.canonical_id, reason: link.reason, isCascade: link.decided_by === BY_CASCADE }
        : null,
      isCanonical: heads.has(id),
      isFixed: fixed.has(id),
    };
  });
}
