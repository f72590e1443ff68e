import type { Context } from '../../context.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import type { SourceLookup } from '../../contract/lookup.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { sourcesOfCoordinate } from '../sources/of-coordinate.ts';

// `owner/repo`, with or without the name of the host before it.
const FORM = /^(?:github:)?[^/:\s]+\/[^/:\s]+$/i;

export async function lookUpCoordinate(ctx: Context, input: { coordinate: string }): Promise<SourceLookup> {
  const coordinate = FORM.test(input.coordinate) ? githubCoordinate(input.coordinate) : null;
  if (coordinate === null) throw badRequest('coordinate', 'must be owner/repo or github:owner/repo');
  const found = (await sourcesOfCoordinate(ctx, coordinate)).find((one) => one.visible);
  if (!found) throw notFound('source', coordinate, { parameter: 'coordinate' });
  return { sourceId: found.source.id, sourceSlug: found.source.slug, orgSlug: found.org?.slug ?? null };
}
