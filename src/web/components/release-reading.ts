// What the page of a release reads out of its notes. Notes are read again only when they change: a reader who comes back
// costs no more than one who sees the notes rendered from memory.
import type { ReleaseDetail } from '../../contract/release.ts';
import { quotedEntries } from '../../domain/notes/quoted-entries.ts';
import { repeatsNotes } from '../../domain/notes/repeats.ts';
import { steps } from './steps.ts';

type Read = Pick<ReleaseDetail, 'contentHash' | 'content' | 'summary' | 'migrationNotes' | 'derivedBy'>;

interface ReleaseReading {
  steps: readonly string[];
  // The section that the steps were taken from, when the rules took them.
  taken: ReturnType<typeof quotedEntries>;
  // The summary says nothing that the notes do not say a few lines below.
  isRepeated: boolean;
}

const MAX_KEPT = 500;
const kept = new Map<string, ReleaseReading>();

export function releaseReading(release: Read): ReleaseReading {
  const { contentHash, content, summary, migrationNotes, derivedBy } = release;
  const key = [contentHash, derivedBy, summary, migrationNotes].join('\n');
  const known = kept.get(key);
  if (known) return known;
  const reading = {
    steps: steps(release),
    taken: derivedBy === 'rules' && migrationNotes ? quotedEntries(content, migrationNotes) : null,
    isRepeated: repeatsNotes(summary, content),
  };
  // The oldest gives way.
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, reading);
  return reading;
}
