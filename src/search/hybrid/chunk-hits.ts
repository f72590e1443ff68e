// Chunks of the page as they are answered.
import { sql } from 'kysely';
import type { Surroundings } from '../../catalog/releases/surroundings.ts';
import { type Context, queries } from '../../context.ts';
import type { ChunkHit } from '../../contract/search.ts';
import { cutText } from '../../domain/search-text/fold.ts';
import type { Matcher } from '../../domain/snippets/matcher.ts';
import { highlightsOf } from '../../domain/snippets/snippet.ts';
import { releasesOfVersions } from './chunk-releases.ts';
import type { FoundChunk } from './found-chunks.ts';

export interface PlacedChunk {
  found: FoundChunk;
  score: number;
  rank: number;
}

const LONGEST_SNIPPET = 2000;

export async function chunkHits(
  ctx: Context,
  placed: readonly PlacedChunk[],
  { matcher, surroundings }: { matcher: Matcher; surroundings: Promise<Map<string, Surroundings>> },
): Promise<ChunkHit[]> {
  if (placed.length === 0) return [];
  const found = placed.map((one) => one.found);
  const [rows, near, releases] = await Promise.all([
    pageRows(ctx, found),
    surroundings,
    releasesOfVersions(ctx, found),
  ]);
  return placed.flatMap(({ found: { seq, sourceId, path }, score, rank }, index): ChunkHit[] => {
    const row = rows.get(seq);
    const around = near.get(sourceId);
    if (!row || !around) return [];
    const snippet = cutText(row.text, LONGEST_SNIPPET);
    const within = row.offset_chars - row.section_offset;
    return [
      {
        sourceId,
        sourceSlug: around.sourceSlug,
        sourceName: around.sourceName,
        orgSlug: around.orgSlug,
        orgName: around.orgName,
        filePath: path,
        offset: row.section_offset,
        ...(within > 0 ? { sectionOffset: within } : {}),
        length: row.length_chars,
        heading: row.heading,
        version: row.version,
        releaseId: releases[index]?.id ?? null,
        snippet,
        highlights: highlightsOf(snippet, matcher),
        score,
        rank,
      },
    ];
  });
}

async function pageRows(ctx: Context, found: readonly FoundChunk[]) {
  const { dialect } = ctx.store;
  const text = dialect.textSlice('f.content', sql.ref('c.offset_bytes'), sql.ref('c.length_bytes'));
  const rows = await queries(ctx)
    .selectFrom('changelog_chunks as c')
    .innerJoin('changelog_files as f', (join) =>
      join.onRef('f.source_id', '=', 'c.source_id').onRef('f.path', '=', 'c.path'),
    )
    .select(['c.seq', 'c.offset_chars', 'c.section_offset', 'c.length_chars', 'c.heading', 'c.version'])
    .select(text.as('text'))
    .where(
      dialect.amongKeys(
        'c.seq',
        found.map(({ seq }) => seq),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.seq, row]));
}
