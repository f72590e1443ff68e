// The hits of a page, as the answer shows them: releases, and sections of changelog files. Only for these the text is read
// and a snippet is cut.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { type ChunkHit, HIT_FACTS, type ReleaseHit } from '../../contract/search.ts';
import { cutText } from '../../domain/clean-text.ts';
import { pick } from '../../domain/records.ts';
import type { Matcher } from '../../domain/snippets/matcher.ts';
import { highlightsOf, snippetOf, snippetText } from '../../domain/snippets/snippet.ts';
import { RELEASE_COLUMNS, releaseFields } from '../../releases/release-fields.ts';
import { type ReleaseOwners, storeAndVideo } from '../../releases/release-items.ts';
import { rowsByKeys } from '../../store/pipeline.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import { releasesOfEntries } from '../candidates/chunks.ts';
import type { ListedCandidate } from './ranked-list.ts';

interface ReleaseHitOptions {
  matcher: Matcher;
  includeContent: boolean;
  // Code spans of snippets stay between their delimiters.
  codeMarks: boolean;
  surroundings: Promise<Map<string, ReleaseOwners>>;
}

// Characters of each note that are read for its snippet; a long page reads less of each, so that every page costs about
// the same.
const MAX_READ = 24_000;
const MIN_READ = 4_000;
const READ_PER_PAGE = 400_000;

export async function releaseHits(
  ctx: Context,
  page: readonly ListedCandidate[],
  { matcher, includeContent, codeMarks, surroundings }: ReleaseHitOptions,
): Promise<ReleaseHit[]> {
  const ranked = page.flatMap(({ candidate, ...ranking }) =>
    candidate.kind === 'release' ? [{ seq: candidate.seq, ...ranking }] : [],
  );
  if (ranked.length === 0) return [];
  const read = Math.max(MIN_READ, Math.min(MAX_READ, Math.floor(READ_PER_PAGE / ranked.length)));
  const [rows, near] = await Promise.all([releaseRows(ctx, ranked, includeContent ? null : read), surroundings]);
  return ranked.flatMap(({ seq, score, rank, matchedBy }): ReleaseHit[] => {
    const row = rows.get(seq);
    const around = row && near.get(row.source_id);
    if (!row || !around) return [];
    const text = snippetText(row.content.slice(0, read), read, { marks: codeMarks });
    const fields = releaseFields(row, ctx.config.webUrl);
    return [
      {
        id: row.id,
        sourceId: around.sourceId,
        sourceSlug: around.sourceSlug,
        sourceName: around.sourceName,
        sourceType: around.sourceType,
        ...storeAndVideo(around),
        orgId: around.orgId,
        orgSlug: around.orgSlug,
        orgName: around.orgName,
        productSlug: around.productSlug,
        ...pick(fields, 'version', 'title', 'titleGenerated', 'titleShort', 'summary'),
        ...snippetOf([text, row.summary, row.title], matcher),
        titleHighlights: highlightsOf(row.title, matcher),
        ...pick(fields, ...HIT_FACTS),
        score,
        rank,
        matchedBy,
        ...(includeContent ? { content: row.content } : {}),
      },
    ];
  });
}

const queriesOfCut = new Map<number | null, ReturnType<typeof releaseQuery>>();

async function releaseRows(ctx: Context, ranked: readonly { seq: number }[], cut: number | null) {
  const query = queriesOfCut.get(cut) ?? releaseQuery(cut);
  queriesOfCut.set(cut, query);
  const seqs = ranked.map(({ seq }) => seq);
  const rows = await query(queries(ctx), ctx.store.dialect, seqs);
  return new Map(rows.map((row) => [row.seq, row]));
}

// Pages have few lengths, and each its cut.
function releaseQuery(cut: number | null) {
  const content = cut === null ? sql<string>`content` : sql<string>`substr(content, 1, ${sql.lit(cut)})`;
  return rowsByKeys((db, among) => {
    return db
      .selectFrom('releases')
      .select(RELEASE_COLUMNS)
      .select(['seq', content.as('content')])
      .where(among('seq'));
  });
}

// Sections of changelog files.

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
    chunkRows(ctx, candidates),
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

async function chunkRows(ctx: Context, candidates: readonly ChunkCandidate[]) {
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
