// Orders the entries of a release by importance.
import type { BreakingEvidence } from './breaking.ts';
import type { NoteClass, NoteItem } from './types.ts';

const ORDER: readonly (NoteClass | null)[] = [
  'breaking',
  'removed',
  'security',
  'deprecated',
  'features',
  'bugs',
  'enhancements',
];

// The entries that have a class, the most important class first, in the order of the body within a class.
export function rankItems(items: readonly NoteItem[], evidence: BreakingEvidence): NoteItem[] {
  const breaks = evidence.level === 'major' ? new Set<unknown>(evidence.locations) : null;
  const ranks: NoteItem[][] = ORDER.map(() => []);
  for (const item of items) {
    const inBreakingSection = item.section?.class === 'breaking' || item.section?.class === 'removed';
    const unclassed = item.class === null && breaks?.has(item) === true;
    const name =
      inBreakingSection && item.class !== 'breaking'
        ? (item.section?.class ?? null)
        : unclassed
          ? 'removed'
          : item.class;
    if (name !== null) ranks[ORDER.indexOf(name)]?.push(item);
  }
  const ranked: NoteItem[] = [];
  for (const rank of ranks) for (const item of rank) ranked.push(item);
  return ranked;
}
