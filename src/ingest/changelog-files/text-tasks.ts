// What threads do with the texts of changelog files. It stands apart from the queries, because a thread loads the whole module
// of its task and what that imports: with the query builder this took half a second more.
import { type ParsedChangelog, parseChangelog, readChangelogText } from '../../domain/changelog/entries.ts';
import type { ChangelogOptions, OutsideText } from '../../domain/changelog/types.ts';
import { type GuideSection, type GuideText, guideSections } from '../../domain/upgrade/guide.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { threadTask } from '../../threads/task.ts';

interface ChangelogFile {
  text: string;
  options: ChangelogOptions;
}

export function readEntries({ text, options }: ChangelogFile): ParsedChangelog {
  return readChangelogText(text, options);
}

export const ENTRY_READING = threadTask(import.meta.url, readEntries);

// The identities of the versions that a file has entries for.
export function readVersions({ text, options }: ChangelogFile): Set<string> {
  const entries = parseChangelog(text, options);
  return new Set(entries.flatMap(({ version }) => (version === null ? [] : versionIdentity(version))));
}

export const VERSION_READING = threadTask(import.meta.url, readVersions);

export function readOutside({ text, options }: ChangelogFile): OutsideText {
  return readChangelogText(text, options).outside;
}

export const OUTSIDE_READING = threadTask(import.meta.url, readOutside);

export function readSections(guide: GuideText): Map<string, GuideSection> {
  return guideSections(guide);
}

export const GUIDE_READING = threadTask(import.meta.url, readSections);
