// What a digest tells an account, as it is known at the moment of asking.

import { type Context, queries } from '../../context.ts';
import type { StackReportRow } from '../../contract/stack.ts';
import type { DigestRow, FollowedRelease } from '../../domain/digest-mail/content.ts';
import { passesMeaning } from '../../domain/meaning/passes-meaning.ts';
import type { BreakingVerdict } from '../../domain/notes/index.ts';
import { releaseWebUrl } from '../../domain/release-address.ts';
import type { Judgement } from '../../domain/upgrade/judgement.ts';
import { packageViewer, seenPackage } from '../../entities/packages/viewer.ts';
import type { DigestSettingsRow, ToldPackage } from '../../store/schema/digest.ts';
import { isFollowed } from '../following/list-follows.ts';
import { judgePackages } from '../stacks/judge.ts';
import { marksOfStacks } from '../stacks/marks.ts';
import { REPORTED_COLUMNS, reportRows } from '../stacks/report.ts';

const VERDICTS: Record<Judgement, BreakingVerdict> = {
  breaks: 'major',
  may_break: 'minor',
  not_known: 'unknown',
  no_sign: 'none',
};

// A package at its newest version has none.
export function isPackageNews(row: DigestSettingsRow, { judgement, security }: StackReportRow): boolean {
  if (judgement === null) return false;
  return passesMeaning(meaningOf(row), { breaking: VERDICTS[judgement], importance: null, security });
}

function meaningOf({ min_breaking, min_importance, security }: DigestSettingsRow) {
  return { minBreaking: min_breaking, minImportance: min_importance, security: security === 1 };
}

const MAX_RELEASES = 2000;
const LISTED = 2;

interface FollowedNews extends FollowedRelease {
  id: string;
}

// Announced releases of what the account follows, in a range of events or by id.
export async function followedNews(
  ctx: Context,
  row: DigestSettingsRow,
  which: { after: number; upTo: number } | { ids: readonly string[] },
): Promise<FollowedNews[]> {
  let asked = queries(ctx)
    .selectFrom('events as e')
    .innerJoin('releases as r', 'r.id', 'e.release_id')
    .innerJoin('sources as s', 's.id', 'r.source_id')
    .leftJoin('orgs as o', 'o.id', 'r.org_id')
    .select(['r.id', 'r.title', 'r.title_short', 'r.title_generated', 'r.version'])
    .select(['r.breaking', 'r.importance', 'r.security', 's.name as source', 'o.name as org']);
  if ('ids' in which) asked = asked.where('e.release_id', 'in', [...which.ids, '']);
  else asked = asked.where('e.seq', '>', which.after).where('e.seq', '<=', which.upTo);
  const found = await asked
    .where('r.listing', '=', LISTED)
    .where('r.prerelease', '=', 0)
    .where(isFollowed(row.user_id))
    .orderBy('e.seq')
    .limit(MAX_RELEASES)
    .execute();
  return found
    .filter((one) => passesMeaning(meaningOf(row), { ...one, security: one.security === 1 }))
    .map((one) => ({
      id: one.id,
      title: one.title,
      version: one.version,
      from: one.org ?? one.source,
      breaks: one.breaking === 'major',
      security: one.security === 1,
      url: releaseWebUrl(ctx.config.webUrl, one),
    }));
}

const PART = 500;

// Of each stack, its packages that were found to be news, unless they are none any more or the account may not see them.
export async function stackNews(
  ctx: Context,
  row: DigestSettingsRow,
  { packages, names }: { packages: readonly ToldPackage[]; names: ReadonlyMap<string, string> },
): Promise<DigestRow[]> {
  const stored = [];
  for (const [stackId, own] of Map.groupBy(packages, (one) => one.stackId)) {
    for (let start = 0; start < own.length; start += PART) {
      stored.push(...(await currentRows(ctx, stackId, own.slice(start, start + PART))));
    }
  }
  const merged = new Map<string, DigestRow>();
  const about = await aboutDigest(ctx, stored);
  for (const { row: one, stackId } of reportRows(ctx, stored, about)) {
    const stack = names.get(stackId);
    if (stack === undefined || one.mark !== null || !isPackageNews(row, one)) continue;
    const key = [one.ecosystem, one.package, one.installed].join('\n');
    const known = merged.get(key);
    if (known) known.stacks.push(stack);
    else merged.set(key, toDigestRow(one, stack));
  }
  return [...merged.values()];
}

// A digest tells what was not told before, whatever was seen.
export async function aboutDigest(ctx: Context, stored: readonly { stack_id: string }[]) {
  const marks = await marksOfStacks(ctx, [...new Set(stored.map(({ stack_id }) => stack_id))]);
  return { seenAt: '', marks, open: new Map() };
}

async function currentRows(ctx: Context, stackId: string, packages: readonly ToldPackage[]) {
  const { hidden } = await packageViewer(ctx);
  const read = () =>
    queries(ctx)
      .selectFrom('stack_packages as p')
      .select(REPORTED_COLUMNS)
      .where('stack_id', '=', stackId)
      .where('name', 'in', [...new Set(packages.map(({ name }) => name))])
      .where(seenPackage(hidden, 'p'))
      .execute();
  const rows = await read();
  const unasked = rows.filter(({ judged_at }) => judged_at === null);
  if (unasked.length > 0) await judgePackages(ctx, unasked);
  const wanted = new Set(packages.map(({ ecosystem, name }) => `${ecosystem} ${name}`));
  const current = unasked.length > 0 ? await read() : rows;
  return current.filter(({ ecosystem, name }) => wanted.has(`${ecosystem} ${name}`));
}

function toDigestRow(row: StackReportRow, stack: string): DigestRow {
  return {
    package: row.package,
    from: row.installed,
    to: row.newest ?? '',
    judgement: row.judgement ?? 'not_known',
    security: row.security,
    reason: row.reason,
    undocumented: row.undocumented,
    steps: row.steps.length + row.moreSteps,
    stacks: [stack],
    url: row.webUrl,
  };
}
