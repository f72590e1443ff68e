import type { BatchResult, SkipReason } from '../../contract/release-input.ts';
import { utcDay } from '../../domain/timestamps.ts';
import type { ReleaseRow } from '../../store/schema.ts';

// Collects what happened to each row, in the order of the call.
export class BatchTally {
  readonly items: BatchResult['items'] = [];
  readonly days = new Set<string>();
  touched = false;
  heldBack = false;

  skip(index: number, reason: SkipReason): void {
    this.items.push({ index, id: null, outcome: 'skipped', reason });
  }

  unchanged(index: number, id: string): void {
    this.items.push({ index, id, outcome: 'unchanged' });
  }

  insert(index: number, row: ReleaseRow): void {
    this.items.push({ index, id: row.id, outcome: 'inserted' });
    this.#touch(row);
  }

  update(index: number, before: ReleaseRow, after: ReleaseRow): void {
    this.items.push({ index, id: after.id, outcome: 'updated' });
    this.#touch(before);
    this.#touch(after);
  }

  #touch(row: ReleaseRow): void {
    this.touched = true;
    if (row.published_at) this.days.add(utcDay(row.published_at));
  }

  result(sent: number): Omit<BatchResult, 'total' | 'announced'> {
    const items = this.items.sort((a, b) => a.index - b.index);
    const idsOf = (outcome: string) =>
      items.filter((item) => item.outcome === outcome).flatMap((item) => item.id ?? []);
    const insertedIds = idsOf('inserted');
    const updatedIds = idsOf('updated');
    const skipped = items.filter((item) => item.outcome === 'skipped').length;
    const unchanged = sent - insertedIds.length - updatedIds.length - skipped;
    return {
      inserted: insertedIds.length,
      updated: updatedIds.length,
      unchanged,
      skipped,
      insertedIds,
      updatedIds,
      items,
    };
  }
}
