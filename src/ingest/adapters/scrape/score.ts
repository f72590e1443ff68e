// How well a parser reads a page.
import type { PageEntry } from './entry.ts';
import type { PageDocument } from './page-document.ts';

const BODY_LENGTH = 40;

export const GOOD_ENOUGH = 0.6;

// 0 to 1. `least` is 1 for a page that is one entry; a list of fewer than two is none.
export function scoreEntries(
  { mainLetters }: Pick<PageDocument, 'mainLetters'>,
  entries: readonly PageEntry[],
  { least = 2 }: { least?: number } = {},
): number {
  if (entries.length < Math.max(1, least)) return 0;
  const share = (holds: (entry: PageEntry) => boolean) => entries.filter(holds).length / entries.length;
  const named = share(({ date, version }) => date !== null || version !== null);
  // Entries whose text is on another page count as having a body.
  const withBody = share(({ content, awaitsBody }) => awaitsBody || content.length >= BODY_LENGTH);
  const letters = entries.reduce((sum, entry) => sum + entry.letters, 0);
  const covered = letters === 0 ? 0 : Math.min(1, letters / Math.max(1, mainLetters));
  return Math.round((0.4 * named + 0.3 * withBody + 0.3 * covered) * 1000) / 1000;
}
