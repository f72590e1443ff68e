// The calendar of a package, by the dates of its releases. What only a mirror dates has none: mirrors rewrite dates.
import { type Context, queries } from '../../context.ts';
import { type Calendar, type ComparedStep, calendarOf } from '../../domain/breaking/calendar.ts';
import { isComparedEcosystem } from '../../domain/ecosystems/index.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { parseJson } from '../../store/json-text.ts';
import type { KnownPackage } from './known-package.ts';
import { isDatedByRegistry } from './registry-dates.ts';
import type { VersionOfPackage } from './versions.ts';

const MAX_PAIRS = 500;

export async function packageCalendar(
  ctx: Context,
  known: KnownPackage,
  falling: readonly VersionOfPackage[],
): Promise<Calendar | null> {
  const trusts = isDatedByRegistry(ctx.config, known);
  const rising = falling
    .filter(({ key, prerelease, withdrawn }) => key !== null && !prerelease && !withdrawn)
    .reverse();
  const dated = rising.map(({ version, publishedAt, isDatedHere, noted }) => ({
    version,
    noted,
    date: isDatedHere || trusts ? publishedAt : null,
  }));
  return calendarOf(dated, await comparedSteps(ctx, known));
}

async function comparedSteps(ctx: Context, { ecosystem, name }: KnownPackage): Promise<ComparedStep[]> {
  if (!isComparedEcosystem(ecosystem)) return [];
  const rows = await queries(ctx)
    .selectFrom('evidence_pairs')
    .select(['from_version', 'to_version', 'proven', 'findings'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .where('rules', '=', RULES_VERSION)
    .where('status', 'in', ['compared', 'no_types'])
    .orderBy('compared_at', 'desc')
    .limit(MAX_PAIRS)
    .execute();
  return rows.map(({ from_version: from, to_version: to, proven, findings }) => {
    const floor = parseJson(findings).find(({ kind, name }) => kind === 'engines_raised' && /(?:^|\.)node$/.test(name));
    return { from, to, proven, node: floor?.is ?? null };
  });
}
