// A changelog that somebody sends, beside what the registry knows of its package. Text alone is enough for most rules.

import { type Context, now } from '../../context.ts';
import type { ChangelogLint, ChangelogLintInput } from '../../contract/changelog-lint.ts';
import { isComparedEcosystem, isEcosystem } from '../../domain/ecosystems/index.ts';
import { type LintInput, lintChangelog } from '../../domain/lint/lint-changelog.ts';
import type { ComparedRelease } from '../../domain/lint/package-rules.ts';
import { keyOfVersion, type PublishedVersions, releaseState } from '../../domain/lint/published-versions.ts';
import { compareVersionKeys, isPrerelease } from '../../domain/versions/index.ts';
import { MAX_INLINE_CHARS, onRequestThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';
import { compareVersions } from '../evidence/evidence-of-ranges.ts';
import { findPackage } from './known-package.ts';
import { versionsOfPackage } from './versions.ts';

const MAX_FINDINGS = 500;

export async function lintSentChangelog(ctx: Context, input: ChangelogLintInput): Promise<ChangelogLint> {
  const { content, filename = 'CHANGELOG.md', package: name = null } = input;
  const published = await publishedHere(ctx, input);
  const compared = published && (await comparedHere(ctx, input, published));
  const question = {
    text: content.replaceAll('\r\n', '\n'),
    path: filename,
    packageName: name,
    now: new Date(now(ctx)),
    published,
    archived: null,
    compared,
  };
  const { findings, sections } = await (content.length <= MAX_INLINE_CHARS
    ? lintText(question)
    : onRequestThread(TEXT_LINT, question));
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { level } of findings) counts[level] += 1;
  return {
    findings: findings.slice(0, MAX_FINDINGS),
    counts,
    more: Math.max(0, findings.length - MAX_FINDINGS),
    sections,
    against: published?.last ?? null,
    compared: compared !== null,
  };
}

// The rules alone, so that a thread needs nothing else of this file.
export function lintText(question: LintInput) {
  return lintChangelog(question);
}

const TEXT_LINT = threadTask(import.meta.url, lintText);

// Null without a package that is listed here and a version.
async function publishedHere(
  ctx: Context,
  { ecosystem, package: name, version }: ChangelogLintInput,
): Promise<PublishedVersions | null> {
  if (ecosystem === undefined || name === undefined || version === undefined) return null;
  const known = await findPackage(ctx, { ecosystem, name });
  if (known?.state?.listed_at == null) return null;
  const versions = await versionsOfPackage(ctx, known);
  return releaseState({
    versions: versions.flatMap((one) => (one.withdrawn ? [] : [one.version])),
    unpublished: versions.flatMap((one) => (one.withdrawn ? [one.version] : [])),
    latest: known.state.latest,
    version: version.replace(/^v(?=\d)/, ''),
  });
}

const NO_NAMES = {
  words: new Set<string>(),
  exported: new Set<string>(),
  others: new Set<string>(),
  hasDeclarations: false,
};

// Of a version that is out: the comparison with the stable one before, where it is stored. Asking orders it for the next time.
async function comparedHere(
  ctx: Context,
  { ecosystem, package: name = '' }: ChangelogLintInput,
  { coming, last, versions }: PublishedVersions,
): Promise<ComparedRelease | null> {
  if (coming !== null || last === null || !isEcosystem(ecosystem) || !isComparedEcosystem(ecosystem)) return null;
  const key = keyOfVersion(last) ?? '';
  const keyed = versions.flatMap((version) => {
    const other = keyOfVersion(version);
    const isBelow = other !== null && compareVersionKeys(other, key) < 0 && !isPrerelease(version);
    return isBelow ? [{ version, key: other }] : [];
  });
  const [before] = keyed.sort((one, other) => compareVersionKeys(other.key, one.key));
  if (!before) return null;
  const answer = await compareVersions(ctx, { ecosystem, name, from: before.version, to: last });
  if (answer.status !== 'compared') return null;
  return { from: before.version, to: last, findings: answer.findings, old: NO_NAMES, next: NO_NAMES };
}
