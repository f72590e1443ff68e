import type { AdapterResult } from '../../src/ingest/adapters/contract.ts';
import { item, validator } from '../../src/ingest/pipeline/scripted.fixture.ts';

// The given number of releases, an hour apart, newest first, with the validators of the server.
export function listing(count: number): Partial<AdapterResult> {
  const items = Array.from({ length: count }, (_, index) =>
    item(`1.${index}.0`, { publishedAt: new Date(Date.UTC(2020, 0, 1) + index * 3_600_000).toISOString() }),
  );
  return { items: items.reverse(), validators: [validator('"read"')] };
}
