// The rows of a span that an answer tells, with the notes that stand for them.
import { type RawBuilder, sql } from 'kysely';
import { WITHDRAWN_RELEASE } from '../../catalog/visible.ts';
import { type Context, now, queries } from '../../context.ts';
import { inSpan, isCoveredVersion, type ReleaseSpan, shownListing } from './spans.ts';
import { BY_CASCADE } from './tally.ts';

export interface ToldRequest {
  span: ReleaseSpan;
  includePrereleases: boolean;
  // Whether the span has rows that are listed nowhere and yet are told: covered by a release of the same push, or withdrawn.
  hasUnlisted: boolean;
  // Only releases with a minor or major break.
  breakingOnly: boolean;
}

export function isTold(ctx: Context, requested: ToldRequest): RawBuilder<boolean> {
  const { span, includePrereleases, hasUnlisted, breakingOnly } = requested;
  const stable = includePrereleases ? ANY : STABLE;
  const listed = hasUnlisted ? isListedOrTold(span) : sql`r.listing = ${sql.lit(shownListing(span))}`;
  const verdict = hasUnlisted ? toldVerdict(ctx) : OWN_VERDICT;
  const breaking = breakingOnly ? sql`AND ${verdict} IN ('minor', 'major')` : ANY;
  return sql`${inSpan(ctx, span)} ${stable} AND ${listed} ${breaking}`;
}

const ANY = sql``;
const STABLE = sql`AND r.prerelease = 0`;
const OWN_VERDICT = sql`r.breaking`;

function isListedOrTold(span: ReleaseSpan) {
  return sql<boolean>`(r.listing = ${shownListing(span)} OR (${WITHDRAWN_RELEASE} AND r.coverage_of IS NULL)
    OR (${isCoveredVersion(span)} AND EXISTS (
      SELECT 1 FROM release_coverage c WHERE c.coverage_id = r.id AND c.decided_by = ${BY_CASCADE})))`;
}

// The verdict of the canonical release, where it is visible.
function toldVerdict(ctx: Context) {
  return sql<string>`COALESCE((SELECT k.breaking FROM releases k
    WHERE k.id = r.coverage_of AND k.listing <> 0 AND k.feed_at <= ${now(ctx)}), r.breaking)`;
}

export const NOTE = ['id', 'summary', 'breaking', 'migration_notes', 'composition'] as const;

// The notes of the canonical releases: a release that only follows another package says nothing itself.
export async function canonicalNotes(ctx: Context, rows: readonly { coverage_of: string | null }[]) {
  const ids = [...new Set(rows.flatMap((row) => row.coverage_of ?? []))];
  const notes =
    ids.length === 0
      ? []
      : await queries(ctx)
          .selectFrom('releases')
          .select(NOTE)
          .where('id', 'in', ids)
          .where('listing', '<>', 0)
          .where('feed_at', '<=', now(ctx))
          .execute();
  return new Map(notes.map((note) => [note.id, note]));
}
