// A row of the event log, for tests of the store.
import type { Schema } from '../../src/store/schema/index.ts';

type EventRow = Schema['events'];

export function eventRow(index: number, other: Partial<EventRow> = {}): EventRow {
  return {
    id: `evt_${index}`,
    seq: index,
    ts: 0,
    type: 'x',
    release_id: `rel_${index}`,
    org_id: null,
    product_id: null,
    source_id: 's',
    payload: '{}',
    fanned_out_at: null,
    ...other,
  };
}
