// The search: what is found, with a hint of what could be looked up, and the log of it.
import { sourcesOfCoordinate } from '../catalog/lookups/by-coordinate.ts';
import type { Context } from '../context.ts';
import type { SearchAnswer } from '../contract/search.ts';
import { githubCoordinate } from '../domain/urls.ts';
import { type SearchInput, WHOLE_SEARCH } from './find-answer.ts';
import { noteDegraded, readingContext, runPart } from './search-connection.ts';
import { countSearch } from './search-log.ts';

export type { SearchInput } from './find-answer.ts';

export async function searchRegistry(ctx: Context, input: SearchInput): Promise<SearchAnswer> {
  const started = ctx.clock().getTime();
  const [{ answer, meta, degraded, isUnknown }, lookup] = await Promise.all([
    runPart(ctx, WHOLE_SEARCH, input),
    lookupHint(readingContext(ctx), input),
  ]);
  noteDegraded(ctx, degraded);
  const tookMs = Math.max(0, ctx.clock().getTime() - started);
  countSearch(ctx, { query: answer.query, mode: meta.mode, hits: meta.returned, took_ms: tookMs });
  return { ...answer, lookup: isUnknown ? null : lookup, _meta: { search: { ...meta, tookMs } } };
}

const COORDINATE = /^(?:github:)?[^/:\s]+\/[^/:\s]+$/i;

// A hint that an untracked repository could be looked up; a search does not do that itself.
async function lookupHint(ctx: Context, { q, releasesOnly }: SearchInput): Promise<SearchAnswer['lookup']> {
  const text = q.trim();
  const coordinate = !releasesOnly && COORDINATE.test(text) ? githubCoordinate(text) : null;
  if (coordinate === null) return null;
  const known = await sourcesOfCoordinate(ctx, coordinate);
  return known.some(({ visible }) => visible) ? null : { provider: 'github', coordinate };
}
