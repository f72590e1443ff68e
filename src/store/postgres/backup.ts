// A backup of a database server without its tools: every table from one snapshot, one row per line, all values in the
// server's text format.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { BackupContents } from '../dialect.ts';
import { writeLineFile } from '../line-file.ts';
import type { Queries } from '../schema/index.ts';
import { type BackupHeader, FORMAT, readBackup, type TableShape } from './backup-file.ts';
import { withSingleConnection } from './pool.ts';
import { VECTOR_INDEX_PREFIX } from './vector-index-tables.ts';

const ROWS = 500;
const COUNTED = ['orgs', 'sources', 'releases', 'users'];

export async function backupPostgres({ url, now }: { url: string; now: () => Date }, target: string): Promise<void> {
  await withSingleConnection({ url }, (db) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) =>
        writeLineFile(target, async (write) => {
          const hash = createHash('sha256');
          const put = async (value: unknown) => {
            const line = `${JSON.stringify(value)}\n`;
            hash.update(line);
            await write(line);
          };
          const header = await headerOf(tx, now());
          await put({ type: 'header', data: header });
          const counts: Record<string, number> = {};
          for (const shape of header.tables) counts[shape.table] = await writeTable(tx, shape, put);
          await write(`${JSON.stringify({ type: 'manifest', data: { counts, sha256: hash.digest('hex') } })}\n`);
        }),
      ),
  );
}

async function writeTable(tx: Queries, { table, columns }: TableShape, put: (row: unknown) => Promise<void>) {
  const list = columns.map(({ name }) => sql`${sql.ref(name)}::text AS ${sql.ref(name)}`);
  await sql`DECLARE backup NO SCROLL CURSOR FOR SELECT ${sql.join(list)} FROM ${sql.table(table)}`.execute(tx);
  let count = 0;
  for (;;) {
    const { rows } = await sql<Record<string, string | null>>`FETCH ${sql.lit(ROWS)} FROM backup`.execute(tx);
    for (const row of rows) await put([table, columns.map(({ name }) => row[name])]);
    count += rows.length;
    if (rows.length < ROWS) break;
  }
  await sql`CLOSE backup`.execute(tx);
  return count;
}

async function headerOf(tx: Queries, at: Date): Promise<BackupHeader> {
  const migrations = await tx.selectFrom('schema_migrations').select('number').orderBy('number').execute();
  const { rows: sequences } = await sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()`.execute(tx);
  const states: BackupHeader['sequences'] = {};
  for (const { name } of sequences) {
    const { rows } = await sql<{ last: number; called: boolean }>`
      SELECT last_value AS last, is_called AS called FROM ${sql.table(name)}`.execute(tx);
    if (rows[0]) states[name] = rows[0];
  }
  return {
    format: FORMAT,
    engine: 'postgres',
    takenAt: at.toISOString(),
    migrations: migrations.map(({ number }) => number),
    sequences: states,
    tables: await tablesOf(tx),
  };
}

export async function tablesOf(tx: Queries): Promise<TableShape[]> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = current_schema() AND c.relkind = 'r'
      AND NOT starts_with(c.relname::text, ${VECTOR_INDEX_PREFIX}) ORDER BY c.relname, a.attnum`.execute(tx);
  const { rows: links } = await sql<{ table: string; needs: string }>`
    SELECT DISTINCT a.relname AS table, b.relname AS needs FROM pg_constraint k
    JOIN pg_class a ON a.oid = k.conrelid JOIN pg_class b ON b.oid = k.confrelid
    JOIN pg_namespace n ON n.oid = a.relnamespace
    WHERE k.contype = 'f' AND a.oid <> b.oid AND n.nspname = current_schema()`.execute(tx);
  const shapes = [...Map.groupBy(rows, (row) => row.table)].map(([table, columns]) => ({
    table,
    columns: columns.map(({ name, type }) => ({ name, type })),
  }));
  return inOrder(
    shapes,
    Map.groupBy(links, (link) => link.table),
  );
}

function inOrder(shapes: readonly TableShape[], links: Map<string, { needs: string }[]>): TableShape[] {
  const ordered: TableShape[] = [];
  const done = new Set<string>();
  while (ordered.length < shapes.length) {
    const next = shapes.find(
      ({ table }) => !done.has(table) && (links.get(table) ?? []).every(({ needs }) => done.has(needs)),
    );
    if (!next) throw new Error('tables refer to each other in a circle');
    ordered.push(next);
    done.add(next.table);
  }
  return ordered;
}

export async function verifyPostgres(file: string): Promise<BackupContents> {
  const { header, counts } = await readBackup(file, async () => {});
  const shown = COUNTED.map((table) => [table, counts[table] ?? 0]);
  return { engine: 'postgres', migrations: header.migrations, counts: Object.fromEntries(shown) };
}
