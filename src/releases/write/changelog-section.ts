// The section of one version in the text of a changelog. It stands apart from the queries, because a thread loads the module of
// its task with all that it imports.
import { parseChangelog } from '../../domain/changelog/entries.ts';
import type { ChangelogOptions } from '../../domain/changelog/types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { threadTask } from '../../threads/task.ts';

interface SoughtSection {
  text: string;
  version: string;
  options: ChangelogOptions;
}

interface VersionSection {
  content: string;
  date: string | null;
}

interface SectionReading {
  section: VersionSection | null;
  // Versions that the text has sections for, as far as they help.
  known: string[];
}

const MOST_KNOWN = 5;

export function readVersionSection({ text, version, options }: SoughtSection): SectionReading {
  const entries = parseChangelog(text, options);
  const identity = versionIdentity(version);
  const found = entries.find((entry) => entry.version !== null && versionIdentity(entry.version) === identity);
  const known = entries.flatMap((entry) => entry.version ?? []).slice(0, MOST_KNOWN);
  return { section: found ? { content: found.body, date: found.date?.at ?? null } : null, known };
}

export const VERSION_SECTION_READING = threadTask(import.meta.url, readVersionSection);
