import { insertMany } from '../insert-many.ts';
import type { Migration } from './migration.ts';

const MISSING = 'missing:';

// What adapters and jobs remember of a source has a table of its own; until now it stood among the validators, written into
// their columns.
export const sourceMemory: Migration = {
  up: ({ types: { text } }) => [
    `CREATE TABLE source_memory (
      source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, name ${text} NOT NULL,
      value ${text} NOT NULL, stored_at ${text} NOT NULL, PRIMARY KEY (source_id, name))`,
  ],
  async rows(tx) {
    for (let after = ''; ; ) {
      const sources = await tx
        .selectFrom('source_validators')
        .select('source_id')
        .distinct()
        .where('source_id', '>', after)
        .where((eb) => eb.or([eb('endpoint', 'in', Object.keys(READERS)), eb('endpoint', 'like', `${MISSING}%`)]))
        .orderBy('source_id')
        .limit(200)
        .execute();
      const last = sources.at(-1);
      if (!last) return;
      after = last.source_id;
      const ids = sources.map(({ source_id }) => source_id);
      const moved = tx
        .selectFrom('source_validators')
        .selectAll()
        .where('source_id', 'in', ids)
        .where((eb) => eb.or([eb('endpoint', 'in', Object.keys(READERS)), eb('endpoint', 'like', `${MISSING}%`)]));
      await insertMany(tx, 'source_memory', memoryRows(await moved.orderBy('source_id').execute()));
      await tx
        .deleteFrom('source_validators')
        .where('source_id', 'in', ids)
        .where((eb) => eb.or([eb('endpoint', 'in', Object.keys(READERS)), eb('endpoint', 'like', `${MISSING}%`)]))
        .execute();
    }
  },
};

interface StoredValidator {
  source_id: string;
  endpoint: string;
  last_modified: string | null;
  content_hash: string | null;
  stored_at: string;
}

function memoryRows(rows: readonly StoredValidator[]) {
  const known = rows.flatMap(({ source_id, endpoint: name, stored_at, ...columns }) => {
    const value = READERS[name]?.(columns) ?? null;
    return value === null ? [] : [{ source_id, name, value: JSON.stringify(value), stored_at }];
  });
  const missing = Map.groupBy(
    rows.filter(({ endpoint }) => endpoint.startsWith(MISSING)),
    ({ source_id }) => source_id,
  );
  const files = [...missing].map(([source_id, marks]) => {
    const since = marks.map(({ endpoint, last_modified }) => [endpoint.slice(MISSING.length), last_modified ?? '']);
    const stored_at =
      marks
        .map((mark) => mark.stored_at)
        .sort()
        .at(-1) ?? '';
    return { source_id, name: 'missing-files', value: JSON.stringify(Object.fromEntries(since)), stored_at };
  });
  return [...known, ...files];
}

type Columns = Pick<StoredValidator, 'last_modified' | 'content_hash'>;

// How each value was encoded in the columns of a validator; null for an empty one.
const READERS: Record<string, (columns: Columns) => unknown> = {
  'tags-read': ({ last_modified: at, content_hash }) => at && { at, changelog: content_hash ?? '' },
  'commit-dates': ({ content_hash }) => {
    const pairs = (content_hash ?? '').split(' ').map((pair) => pair.split(':'));
    const dates = pairs.flatMap(([commit, seconds]) => {
      const at = Number.parseInt(seconds ?? '', 36);
      return commit && Number.isFinite(at) ? [[commit, new Date(at * 1000).toISOString()]] : [];
    });
    return Object.fromEntries(dates);
  },
  moved: ({ content_hash }) => {
    const { seen, address } = /^(?<seen>\d+) (?<address>\S+)$/.exec(content_hash ?? '')?.groups ?? {};
    return address === undefined ? null : { address, seen: Number(seen) };
  },
  entries: ({ content_hash }) => {
    const [entries = '', parser] = content_hash?.split(' ') ?? [];
    return parser === undefined ? null : { parser, entries: Number(entries) };
  },
  articles: readMark,
  media: readMark,
  coverage: readMark,
};

function readMark({ last_modified: at, content_hash }: Columns): unknown {
  return at && { at, seq: Number(content_hash) };
}
