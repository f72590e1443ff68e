// Stores imported advisories: row by row beside the set that is read, which is exchanged at the end in one transaction. When an
// import fails, the old set stays.
import { randomUUID } from 'node:crypto';
import { type Context, now, transact } from '../../context.ts';
import type { Advisory } from '../../domain/advisories/osv-record.ts';
import { ECOSYSTEMS, type Ecosystem } from '../../domain/ecosystems/index.ts';
import { insertMissing } from '../../store/insert-many.ts';
import { toJson } from '../../store/json-text.ts';
import type { AdvisoryRow } from '../../store/schema/advisories.ts';

interface StoredAdvisories {
  records: Record<Ecosystem, number>;
  unreadable: number;
}

// Another import began after this one.
export class ImportOvertaken extends Error {
  override name = 'ImportOvertaken';
}

const ROWS_AT_ONCE = 512;

// Only ecosystems of which there are records are exchanged. Null stands for a record that cannot be read.
export async function storeAdvisories(
  ctx: Context,
  origin: string,
  records: AsyncIterable<Advisory | null>,
): Promise<StoredAdvisories> {
  const id = randomUUID();
  await beginSet(ctx, id, origin);
  try {
    const stored = await writeRecords(ctx, id, records);
    await exchangeSets(ctx, id, stored.records);
    return stored;
  } finally {
    await dropUnread(ctx, id);
  }
}

// What earlier imports left behind is given up.
async function beginSet(ctx: Context, id: string, origin: string): Promise<void> {
  const row = { id, origin, records: 0, current: 0, imported_at: now(ctx) } as const;
  await transact(ctx, async ({ tx }) => {
    await tx.deleteFrom('advisory_sets').where('current', '=', 0).execute();
    await tx
      .insertInto('advisory_sets')
      .values(ECOSYSTEMS.map((ecosystem) => ({ ...row, ecosystem })))
      .execute();
  });
}

async function writeRecords(
  ctx: Context,
  id: string,
  records: AsyncIterable<Advisory | null>,
): Promise<StoredAdvisories> {
  const counts = Object.fromEntries(ECOSYSTEMS.map((one) => [one, 0])) as Record<Ecosystem, number>;
  let unreadable = 0;
  let rows: AdvisoryRow[] = [];
  const flush = async () => {
    const part = rows;
    rows = [];
    await transact(ctx, ({ tx }) => insertMissing(tx, 'advisories', part), 'bookkeeping');
  };
  for await (const record of records) {
    if (record === null) {
      unreadable += 1;
      continue;
    }
    for (const ecosystem of new Set(record.affected.map((one) => one.ecosystem))) counts[ecosystem] += 1;
    rows.push(...rowsOfAdvisory(id, record));
    if (rows.length >= ROWS_AT_ONCE) await flush();
  }
  if (rows.length > 0) await flush();
  return { records: counts, unreadable };
}

// One row for each package, with the ranges of this package alone.
function rowsOfAdvisory(set: string, advisory: Advisory): AdvisoryRow[] {
  const byName = Map.groupBy(advisory.affected, ({ ecosystem, name }) => `${ecosystem} ${name}`);
  return [...byName.values()].flatMap((affected) => {
    const [first] = affected;
    if (first === undefined) return [];
    const { ecosystem, name } = first;
    return [{ set_id: set, ecosystem, name, advisory_id: advisory.id, record: toJson({ ...advisory, affected }) }];
  });
}

async function exchangeSets(ctx: Context, id: string, counts: Record<Ecosystem, number>): Promise<void> {
  await transact(ctx, async ({ tx }) => {
    for (const ecosystem of ECOSYSTEMS.filter((one) => counts[one] > 0)) {
      await tx.deleteFrom('advisory_sets').where('ecosystem', '=', ecosystem).where('current', '=', 1).execute();
      const { numUpdatedRows } = await tx
        .updateTable('advisory_sets')
        .set({ current: 1, records: counts[ecosystem] })
        .where('ecosystem', '=', ecosystem)
        .where('id', '=', id)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ImportOvertaken('another import of advisories began meanwhile');
    }
  });
}

// Rows of sets that nobody reads or writes any more.
async function dropUnread(ctx: Context, id: string): Promise<void> {
  await transact(ctx, ({ tx }) =>
    tx.deleteFrom('advisory_sets').where('id', '=', id).where('current', '=', 0).execute(),
  );
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .deleteFrom('advisories')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('advisory_sets as s')
                .select('s.id')
                .whereRef('s.id', '=', 'advisories.set_id')
                .whereRef('s.ecosystem', '=', 'advisories.ecosystem'),
            ),
          ),
        )
        .execute(),
    'bookkeeping',
  );
}
