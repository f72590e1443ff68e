// Whether a version that proves a break has a note that was read and judged, and says nothing of it. Asked only where notes of
// the range are missing or unjudged: everywhere else the counts tell.
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { provenSteps } from '../../domain/upgrade/steps/shown-steps.ts';
import type { UnjudgedAnswer } from './questions.ts';
import { inPackage, inUnions, isStoredVersion, toldVerdict } from './spans.ts';

// A few versions of a range are enough: one of them tells.
const MAX_STEPS = 20;

interface ProvenSteps {
  notesIn: NonNullable<UnjudgedAnswer['notesIn']>;
  keys: string[];
}

// The indexes of the answers for which it is so.
export async function provenBesideNotes(
  ctx: Context,
  answers: readonly (readonly [index: number, answer: UnjudgedAnswer])[],
): Promise<Set<number>> {
  const open = answers.flatMap(([index, answer]) => {
    const steps = openSteps(answer);
    return steps === null ? [] : [{ index, steps }];
  });
  const rows = await inUnions(ctx, open, ({ steps }, slot) => judgedNotes(ctx, steps, slot));
  return new Set(rows.map(({ slot }) => elementAt(open, slot).index));
}

function openSteps(answer: UnjudgedAnswer): ProvenSteps | null {
  const { notesIn, compared, summary, leftBreaks, fromVersion, toVersion } = answer;
  const { major, minor, none } = summary.breaking;
  if (notesIn === null || none === 0 || major + minor + leftBreaks.major + leftBreaks.minor > 0) return null;
  const versions = provenSteps(compared, { from: fromVersion, to: toVersion }).slice(0, MAX_STEPS);
  const keys = versions.flatMap((version) => readBound(version).key ?? []);
  return keys.length === 0 ? null : { notesIn, keys };
}

// Of a release that another one covers, that one's verdict counts.
function judgedNotes(ctx: Context, { notesIn, keys }: ProvenSteps, slot: number): RawBuilder<{ slot: number }> {
  return sql<{ slot: number }>`SELECT ${sql.lit(slot)} AS slot FROM releases r
    WHERE ${inPackage(ctx, notesIn)} AND r.version_sort IN (${sql.join(keys)}) AND ${isStoredVersion(notesIn)}
      AND (r.content_chars > 0 OR r.coverage_of IS NOT NULL) AND ${toldVerdict(ctx)} = 'none'`;
}
