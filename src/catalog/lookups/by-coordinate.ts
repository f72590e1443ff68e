import { type Context, queries } from '../../context.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import type { SourceLookup } from '../../contract/lookup.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { findSource, type SourceInOrg } from '../resolve.ts';

// `owner/repo`, with or without the name of the host before it.
const FORM = /^(?:github:)?[^/:\s]+\/[^/:\s]+$/i;

export async function lookUpCoordinate(ctx: Context, input: { coordinate: string }): Promise<SourceLookup> {
  const coordinate = FORM.test(input.coordinate) ? githubCoordinate(input.coordinate) : null;
  if (coordinate === null) throw badRequest('coordinate', 'must be owner/repo or github:owner/repo');
  const found = (await sourcesOfCoordinate(ctx, coordinate)).find((one) => one.visible);
  if (!found) throw notFound('source', coordinate, { parameter: 'coordinate' });
  return { sourceId: found.source.id, sourceSlug: found.source.slug, orgSlug: found.org?.slug ?? null };
}

// Live sources of a repository, visible or not: the primary one first, then the oldest. A former name counts when no
// repository has it today. The coordinate must be in lower case, as it is stored.
export async function sourcesOfCoordinate(ctx: Context, coordinate: string): Promise<SourceInOrg[]> {
  const current = await sourceIds(ctx).where('s.github_coordinate', '=', coordinate).execute();
  const rows = current.length > 0 ? current : await formerIds(ctx, coordinate);
  const found = await Promise.all(rows.map((row) => findSource(ctx, { src: row.id })));
  return found.filter((one) => one !== null);
}

function formerIds(ctx: Context, coordinate: string): Promise<{ id: string }[]> {
  return sourceIds(ctx)
    .innerJoin('former_coordinates as f', 'f.source_id', 's.id')
    .where('f.coordinate', '=', coordinate)
    .execute();
}

function sourceIds(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .select('s.id')
    .where('s.deleted_at', 'is', null)
    .orderBy('s.is_primary', 'desc')
    .orderBy('s.created_at')
    .orderBy('s.id');
}
