// How much of a section of the notes its quoted migration steps cover.
import { readBody } from './read-body.ts';

interface QuotedEntries {
  // The heading of the section that most steps were taken from.
  section: string;
  quoted: number;
  entries: number;
}

const MAX_READ = 200_000;

// Null when the steps were taken from no section with entries.
export function quotedEntries(content: string, migrationNotes: string): QuotedEntries | null {
  const { items, sections } = readBody(content.slice(0, MAX_READ));
  const counts = sections.map(({ title, start, end }): QuotedEntries => {
    const inside = items.filter((item) => item.listed && item.start >= start && item.end <= end);
    const quoted = inside.filter(({ lineStart, lineEnd }) => {
      const [first = ''] = content.slice(lineStart, lineEnd).split('\n');
      return migrationNotes.includes(first.trim());
    });
    return { section: title, quoted: quoted.length, entries: inside.length };
  });
  // Of sections within each other the inner one, which comes later, says more.
  return counts.reduce<QuotedEntries | null>(
    (most, one) => (one.quoted > 0 && one.quoted >= (most?.quoted ?? 0) ? one : most),
    null,
  );
}
