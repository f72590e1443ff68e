// Counts the kinds of changes in a release.
import type { Composition, NoteClass, NoteItem } from './types.ts';

const COUNTED: Readonly<Partial<Record<NoteClass, keyof Composition>>> = {
  features: 'features',
  bugs: 'bugs',
  security: 'bugs',
  enhancements: 'enhancements',
  deprecated: 'enhancements',
  removed: 'enhancements',
};

// Null when no entry has a class that counts.
export function composition(items: readonly NoteItem[]): Composition | null {
  const counts: Composition = { bugs: 0, features: 0, enhancements: 0 };
  let total = 0;
  for (const item of items) {
    const key = countedAs(item);
    if (!key) continue;
    counts[key] += 1;
    total += 1;
  }
  return total > 0 ? counts : null;
}

function countedAs(item: NoteItem): keyof Composition | undefined {
  if (item.class === 'breaking') return (item.own && COUNTED[item.own]) || 'enhancements';
  return item.class ? COUNTED[item.class] : undefined;
}
