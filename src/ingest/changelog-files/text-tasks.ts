// What threads do with the texts of changelog files. It stands apart from the queries, because a thread loads the whole module
// of its task and what that imports: with the query builder this took half a second more.
import { readChangelogText } from '../../domain/changelog/entries.ts';
import type { ChangelogOptions, OutsideText } from '../../domain/changelog/types.ts';
import { guideSections } from '../../domain/upgrade/guide.ts';
import { threadTask } from '../../threads/task.ts';

export function readOutside({ text, options }: { text: string; options: ChangelogOptions }): OutsideText {
  return readChangelogText(text, options).outside;
}

export const OUTSIDE_READING = threadTask(import.meta.url, readOutside);

export function readSections({ text, names }: { text: string; names: readonly string[] }): Map<string, string> {
  return guideSections(text, names);
}

export const GUIDE_READING = threadTask(import.meta.url, readSections);
