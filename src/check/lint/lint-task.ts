// One changelog with the archives of its package, read on a thread: texts and archives are those of strangers.
import { readArchive } from '../../domain/archive/read-archive.ts';
import { CANONICAL_NAMES, changelogKind, changelogText, folderOf } from '../../domain/changelog/files.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { readPackage, readScripts } from '../../domain/evidence/read-package.ts';
import { type LintInput, type LintResult, lintChangelog } from '../../domain/lint/lint-changelog.ts';
import { packageNames } from '../../domain/lint/package-names.ts';
import { onThread } from '../../threads/documents.ts';
import { threadTask } from '../../threads/task.ts';

export interface LintQuestion extends Omit<LintInput, 'archived' | 'compared'> {
  // The archive of the version that was published last.
  archive: { bytes: Uint8Array; version: string } | null;
  // What is about to be published beside it, as compared; null when it was not.
  next: { bytes: Uint8Array; version: string; findings: readonly Finding[] } | null;
}

const MAX_TEXT_LENGTH = 4_000_000;

export async function lintQuestion({
  archive,
  next,
  ...input
}: LintQuestion): Promise<LintResult & { hasArchived: boolean }> {
  const archived = archive === null ? null : await packedChangelog(archive, input.path);
  const names = archive === null || next === null ? null : await bothNames(archive.bytes, next.bytes);
  const compared =
    archive && next && names ? { from: archive.version, to: next.version, findings: next.findings, ...names } : null;
  return { ...lintChangelog({ ...input, archived, compared }), hasArchived: archived !== null };
}

// The file of the same name, else the one that is read first.
async function packedChangelog({ bytes, version }: { bytes: Uint8Array; version: string }, path: string) {
  const { files = new Map<string, Uint8Array>() } = await readArchive(bytes, {
    wanted: (one, size) => {
      const kind = changelogKind(one);
      return folderOf(one) === '' && (kind === 'canonical' || kind === 'other') && size <= MAX_TEXT_LENGTH;
    },
  });
  const rank = (name: string) => {
    if (name.toLowerCase() === path.toLowerCase()) return -1;
    const at = CANONICAL_NAMES.indexOf(name.toLowerCase());
    return at < 0 ? CANONICAL_NAMES.length : at;
  };
  const [first] = [...files].sort(([one], [other]) => rank(one) - rank(other));
  const text = first ? changelogText(first[1]) : null;
  return first && text !== null ? { text, path: first[0], version } : null;
}

async function bothNames(old: Uint8Array, next: Uint8Array) {
  const [before, after] = [await namesIn(old), await namesIn(next)];
  return before && after ? { old: before, next: after } : null;
}

async function namesIn(archive: Uint8Array) {
  const { files } = await readPackage(archive);
  return files ? packageNames(files, (await readScripts(archive))?.texts ?? new Map()) : null;
}

const LINT = threadTask(import.meta.url, lintQuestion);

export function lintOnThread(question: LintQuestion, signal: AbortSignal) {
  return onThread(LINT, question, signal);
}
