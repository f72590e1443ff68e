// The chunk hits of a page, as the answer shows them.
import { sql } from 'kysely';
import type { ReleaseOwners } from '../../catalog/releases/surroundings.ts';
import { type Context, queries } from '../../context.ts';
import type { ChunkHit } from '../../contract/search.ts';
import { cutText } from '../../domain/clean-text.ts';
import { snippetText } from '../../domain/notes/snippet-text.ts';
import type { Matcher } from '../../domain/snippets/matcher.ts';
import { highlightsOf, snippetOf } from '../../domain/snippets/snippet.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import { releasesOfEntries } from '../candidates/entry-releases.ts';
import type { ListedCandidate } from './fuse.ts';

const MAX_SNIPPET_LENGTH = 2000;

interface ChunkHitOptions {
  matcher: Matcher;
  // The snippet is a sentence for people, with its code spans between their delimiters, instead of the part itself.
  codeMarks: boolean;
  surroundings: Promise<Map<string, ReleaseOwners>>;
}

export async function chunkHits(
  ctx: Context,
  page: readonly ListedCandidate[],
  { matcher, codeMarks, surroundings }: ChunkHitOptions,
): Promise<ChunkHit[]> {
  const ranked = page.flatMap(({ candidate, ...ranking }) =>
    candidate.kind === 'chunk' ? [{ candidate, ranking }] : [],
  );
  if (ranked.length === 0) return [];
  const candidates = ranked.map(({ candidate }) => candidate);
  const [rows, near, releases] = await Promise.all([
    pageRows(ctx, candidates),
    surroundings,
    releasesOfEntries(ctx, candidates),
  ]);
  return ranked.flatMap(({ candidate: { seq, sourceId, path }, ranking }, index): ChunkHit[] => {
    const row = rows.get(seq);
    const around = near.get(sourceId);
    if (!row || !around) return [];
    const part = cutText(row.text, MAX_SNIPPET_LENGTH);
    const { snippet, highlights } = codeMarks
      ? snippetOf([snippetText(part, MAX_SNIPPET_LENGTH, { marks: true })], matcher)
      : { snippet: part, highlights: highlightsOf(part, matcher) };
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
        highlights,
        ...ranking,
      },
    ];
  });
}

async function pageRows(ctx: Context, candidates: readonly ChunkCandidate[]) {
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
        candidates.map(({ seq }) => seq),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.seq, row]));
}
