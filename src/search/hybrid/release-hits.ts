// The release hits of a page, as the answer shows them. Only for these the text is read and a snippet is cut.
import { sql } from 'kysely';
import { RELEASE_COLUMNS, releaseFields } from '../../catalog/releases/release-fields.ts';
import { storeAndVideo } from '../../catalog/releases/release-items.ts';
import type { ReleaseOwners } from '../../catalog/releases/surroundings.ts';
import { type Context, queries } from '../../context.ts';
import { pick } from '../../contract/pick.ts';
import { HIT_FACTS, type ReleaseHit } from '../../contract/search.ts';
import { snippetText } from '../../domain/notes/snippet-text.ts';
import type { Matcher } from '../../domain/snippets/matcher.ts';
import { highlightsOf, snippetOf } from '../../domain/snippets/snippet.ts';
import { rowsByKeys } from '../../store/keyed-queries.ts';
import type { ListedCandidate } from './fuse.ts';

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
  const [rows, near] = await Promise.all([pageRows(ctx, ranked, includeContent ? null : read), surroundings]);
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

const queriesOfCut = new Map<number | null, ReturnType<typeof pageQuery>>();

async function pageRows(ctx: Context, ranked: readonly { seq: number }[], cut: number | null) {
  const query = queriesOfCut.get(cut) ?? pageQuery(cut);
  queriesOfCut.set(cut, query);
  const seqs = ranked.map(({ seq }) => seq);
  const rows = await query(queries(ctx), ctx.store.dialect, seqs);
  return new Map(rows.map((row) => [row.seq, row]));
}

// Pages have few lengths, and each its cut.
function pageQuery(cut: number | null) {
  const content = cut === null ? sql<string>`content` : sql<string>`substr(content, 1, ${sql.lit(cut)})`;
  return rowsByKeys((db, among) => {
    return db
      .selectFrom('releases')
      .select(RELEASE_COLUMNS)
      .select(['seq', content.as('content')])
      .where(among('seq'));
  });
}
