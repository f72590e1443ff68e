import { type DerivedNotes, deriveNotes, type NotesInput } from './index.ts';

type GivenNotes = Partial<NotesInput> & { content: string };

// Derives with the defaults of a tracked library named Acme; numbers are read from a plain dotted version.
export function derive(given: GivenNotes): DerivedNotes {
  const version = given.version ?? null;
  const numbers = version?.replace(/^v/, '').split('-')[0]?.split('.') ?? [];
  return deriveNotes({
    title: version ?? 'Notes',
    version,
    versionNumbers: numbers,
    step: null,
    prerelease: false,
    type: 'feature',
    origin: 'release',
    names: ['Acme'],
    displayName: 'Acme',
    ...given,
  });
}

// A body from its lines, so that tables of tests stay readable.
export function lines(...text: string[]): string {
  return text.join('\n');
}
