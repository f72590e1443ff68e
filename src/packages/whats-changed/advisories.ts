// What imported advisories say of the version that a question starts from. Without imported data nothing is said.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { VersionAdvisories } from '../../contract/whats-changed.ts';
import { findClearingVersion } from '../../domain/advisories/clearing-version.ts';
import { namedProblems } from '../../domain/advisories/named-problems.ts';
import { isEcosystem, normalizePackageName, type PackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { readAskedRange } from '../../domain/upgrade/version-range.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { advisoriesOfPackages, type PackageAdvisories, publishedOfPackage } from '../advisories/of-packages.ts';
import { visiblePackages } from './listings.ts';
import type { AskedPackage, UpgradeAnswers } from './questions.ts';

interface AskedVersion {
  index: number;
  named: PackageName;
  version: string;
}

export async function withAdvisories(
  ctx: Context,
  answers: UpgradeAnswers,
  packages: readonly AskedPackage[],
): Promise<void> {
  const asked = packages.flatMap(({ index, named: { ecosystem, name } }): AskedVersion[] => {
    const answer = answers.get(index);
    if (answer === undefined || answer instanceof ApiError || !isEcosystem(ecosystem)) return [];
    // A range is no version that anybody has.
    if (answer.fromVersion === null || readAskedRange(answer.from)) return [];
    return [{ index, named: { ecosystem, name: normalizePackageName(ecosystem, name) }, version: answer.fromVersion }];
  });
  if (asked.length === 0) return;
  const names = asked.map(({ named }) => named);
  const known = await advisoriesOfPackages(ctx, await visiblePackages(ctx, names));
  for (const { index, named, version } of asked) {
    const imported = known.get(packageKey(named));
    const answer = answers.get(index);
    if (imported === undefined || answer === undefined || answer instanceof ApiError) continue;
    await endLongTurn();
    answers.set(index, { ...answer, advisories: await advisoriesOn(ctx, { named, version, ...imported }) });
  }
}

type Imported = Omit<AskedVersion, 'index'> & PackageAdvisories;

async function advisoriesOn(
  ctx: Context,
  { named, version, importedAt, advisories }: Imported,
): Promise<VersionAdvisories> {
  const ask = (published: Awaited<ReturnType<typeof publishedOfPackage>>) =>
    findClearingVersion({ ...named, installed: version, advisories, published, cooldown: () => 0, now: ctx.clock() });
  const covered = ask([]);
  const published = covered.affectedBy.length === 0 ? [] : await publishedOfPackage(ctx, named);
  const found = published.length === 0 ? covered : ask(published);
  return {
    problems: namedProblems(found.affectedBy).map((problem) => ({ ...problem, aliases: [...problem.aliases] })),
    undecided: found.unreadable.map(({ id }) => id),
    smallest: found.smallest,
    smallestInLine: found.smallestInLine,
    listed: covered.affectedBy.length === 0 || published.length > 0,
    importedAt,
  };
}
