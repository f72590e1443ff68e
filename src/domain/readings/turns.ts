// The places in line of what is ordered at once. A long list gets places apart from each other, so that whoever comes later is
// served between them; it does not have to wait for the end of the list.

// Between two readings of the same asker.
const APART_MS = 50;

interface Line {
  at: Date;
  // The place that is served next; null while nobody waits.
  head: string | null;
  // The last place of the same asker.
  own: string | null;
}

export function turnsInLine({ at, head, own }: Line, count: number): string[] {
  // After the one that is served next: who came first goes first.
  const next = head === null ? at.getTime() : Date.parse(head) + 1;
  const first = own === null ? next : Math.max(next, Date.parse(own) + APART_MS);
  return Array.from({ length: count }, (_, index) => new Date(first + index * APART_MS).toISOString());
}
