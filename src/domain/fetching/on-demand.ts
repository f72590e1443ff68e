// When a reader may have a source read again that is already stored.
const READ_AGAIN_AFTER_MS = 24 * 3_600_000;

// A source that was read within the last day is not read again on demand.
export function mayReadAgain(lastFetchedAt: string | null, now: Date): boolean {
  return (lastFetchedAt ?? '') < new Date(now.getTime() - READ_AGAIN_AFTER_MS).toISOString();
}
