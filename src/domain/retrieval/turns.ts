// Deals a list out in turns, so that one owner of many entries does not fill it before others are seen.

// In every turn each owner has at most `most` entries, best first; within a turn the order stays.
export function dealInTurns<T>(list: readonly T[], most: number, ownerOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  const turns: T[][] = [];
  for (const item of list) {
    const owner = ownerOf(item);
    const count = counts.get(owner) ?? 0;
    counts.set(owner, count + 1);
    const turn = Math.floor(count / most);
    turns[turn] ??= [];
    turns[turn].push(item);
  }
  return turns.flat();
}
