// The upgrade guides inside of a published package: what each asks of who comes to a version is told with that version.
import { guideSteps } from '../../domain/notes/guide-steps.ts';
import { type GuideSection, type GuideText, sectionsOfGuides } from '../../domain/upgrade/guide.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import type { PackedNote } from './packed-notes.ts';

interface KeyedNote {
  key: string;
  note: PackedNote;
}

interface GuidedRange {
  guides: readonly GuideText[];
  // Keys of versions; the first lies outside.
  low: string;
  high: string;
  // What a section says when the changelog has no entry for its version.
  read: (section: GuideSection) => PackedNote;
}

// Oldest first, as the notes are.
export function withGuides(notes: readonly KeyedNote[], { guides, low, high, read }: GuidedRange): PackedNote[] {
  const sections = [...sectionsOfGuides(guides)].filter(
    ([key]) => compareVersionKeys(key, low) > 0 && compareVersionKeys(key, high) <= 0,
  );
  const told = new Map(notes.map((one) => [one.key, one]));
  for (const [key, section] of sections) {
    const note = told.get(key)?.note ?? read(section);
    told.set(key, { key, note: { ...note, steps: [...note.steps, ...guideSteps(section.text)] } });
  }
  return [...told.values()].sort((one, other) => compareVersionKeys(one.key, other.key)).map(({ note }) => note);
}
