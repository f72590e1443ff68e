// Adds to answers about npm packages what the published packages themselves show; all answers of a call share the reads.
import { evidenceOfRanges } from '../../catalog/evidence/evidence-of-ranges.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import { readBound } from '../../domain/upgrade/bounds.ts';
import { visiblePackages } from './listings.ts';
import type { UnjudgedAnswer, UpgradeAnswers } from './questions.ts';

export interface AskedPackage {
  index: number;
  named: PackageName;
}

interface AskedEvidence {
  index: number;
  answer: UnjudgedAnswer;
  range: { name: string; from: string; to: string };
}

export async function withEvidence(
  ctx: Context,
  answers: UpgradeAnswers,
  packages: readonly AskedPackage[],
): Promise<void> {
  const onNpm = packages.filter(({ named }) => named.ecosystem === 'npm');
  const seen = new Set(
    await visiblePackages(
      ctx,
      onNpm.map(({ named }) => named),
    ),
  );
  const asked = onNpm.flatMap(({ index, named }): AskedEvidence[] => {
    const answer = answers.get(index);
    if (answer === undefined || answer instanceof ApiError || !seen.has(named)) return [];
    const range = rangeOf(answer);
    return range ? [{ index, answer, range: { name: named.name, ...range } }] : [];
  });
  if (asked.length === 0) return;
  const found = await evidenceOfRanges(
    ctx,
    asked.map(({ range }) => range),
  );
  for (const [slot, { index, answer }] of asked.entries()) {
    const { evidence, byVersion } = elementAt(found, slot);
    const entries = byVersion.size === 0 ? answer.entries : answer.entries.map((entry) => shown(entry, byVersion));
    answers.set(index, { ...answer, entries, evidence });
  }
}

const NOTHING_BETWEEN: ReadonlySet<WhatsChanged['reason']> = new Set(['same_version', 'up_to_date', 'ambiguous']);

function rangeOf({ fromVersion, toVersion, reason }: UnjudgedAnswer): { from: string; to: string } | null {
  if (fromVersion === null || toVersion === null || NOTHING_BETWEEN.has(reason)) return null;
  return { from: fromVersion, to: toVersion };
}

function shown(entry: UpgradeEntry, byVersion: ReadonlyMap<string, { proven: number; likely: number }>): UpgradeEntry {
  const counts = entry.version === null ? undefined : byVersion.get(readBound(entry.version).version);
  return counts ? { ...entry, evidence: { counts } } : entry;
}
