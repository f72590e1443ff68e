// The field that somebody meant who wrote another one.
import { editDistance } from './edit-distance.ts';

// What other services and files call it.
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  content: ['body', 'notes', 'releasenotes', 'text', 'markdown', 'description', 'changelog', 'message'],
  version: ['tagname', 'tag', 'ver', 'number', 'release'],
  title: ['name', 'headline', 'subject'],
  publishedAt: ['date', 'published', 'releasedat', 'releasedate', 'createdat', 'timestamp'],
  url: ['htmlurl', 'link', 'href', 'address'],
  packages: ['dependencies', 'items', 'list'],
  package: ['name'],
};

// Nearer than a mistyped field, and less than the field itself.
const OTHER_WORD = 0.5;

// Null where none is near.
export function nearestField(given: string, known: Iterable<string>): string | null {
  const folded = foldField(given);
  let best: { field: string; distance: number } | null = null;
  for (const field of known) {
    const isOtherWord = OTHER_WORDS[field]?.includes(folded) ?? false;
    const distance = isOtherWord ? OTHER_WORD : editDistance(folded, foldField(field));
    if (best === null || distance < best.distance) best = { field, distance };
  }
  return best !== null && best.distance <= Math.max(1, Math.floor(folded.length / 4)) ? best.field : null;
}

function foldField(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
