// What a repository holds of notes, read for one package. Texts of strangers are read on a thread.

import { folderOf } from '../../domain/changelog/files.ts';
import type { HostedRelease } from '../../domain/code-hosts/documents.ts';
import { ownReleases } from '../../domain/code-hosts/own-releases.ts';
import { onThread } from '../../threads/documents.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';
import { isGuide } from './packed-notes.ts';
import { entriesOf, type NamedText, type NotedRange, notesOfTexts, type PackedNote } from './text-notes.ts';

interface HostedQuestion extends NotedRange {
  // Where the package lies in the repository; empty at its root.
  folder: string;
  // The versions that its registry lists.
  versions: readonly string[];
  releases: readonly HostedRelease[];
  files: readonly NamedText[];
}

export function readHostedNotes({ releases, files, folder, versions, ...range }: HostedQuestion): PackedNote[] {
  const of = { name: range.name, folder, versions };
  const changelogs = files.filter(({ path }) => !isGuide(path) && isAbout(path, files, of));
  const guides = files.filter(({ path }) => isGuide(path));
  return notesOfTexts({ changelogs, guides, releases: ownReleases(releases, of) }, range);
}

// The changelog of the whole repository may be that of another package in it.
function isAbout(
  path: string,
  files: readonly NamedText[],
  of: { name: string; folder: string; versions: readonly string[] },
): boolean {
  if (folderOf(path) === of.folder) return true;
  const text = files.find((file) => file.path === path)?.text ?? '';
  const tags = entriesOf({ path, text }, of.name).map(({ version, title, body }) => {
    return { tag: version, title, body, prerelease: false };
  });
  return ownReleases(tags, of).length > 0;
}

const HOSTED_NOTES = threadTask(import.meta.url, readHostedNotes);

// Null for texts that cannot be read within the limits of a thread.
export async function hostedNotes(question: HostedQuestion, signal: AbortSignal): Promise<PackedNote[] | null> {
  try {
    return await onThread(HOSTED_NOTES, question, signal);
  } catch (error) {
    if (error instanceof TaskStopped) return null;
    throw error;
  }
}
