// A backup of a database server without its tools: every table from one snapshot, a row a line, all values as the server
// writes them as text. docs/operations.md describes the format.
import { createHash, type Hash } from 'node:crypto';
import { CompiledQuery, PostgresDialect, sql } from 'kysely';
import { isRecord } from '../../domain/records.ts';
import type { BackupContents } from '../backup.ts';
import { type FileLine, LineFileError, linesOf, parseLine, writeLineFile } from '../line-file.ts';
import { migrate } from '../migrate.ts';
import type { Queries } from '../schema/index.ts';
import { kyselyOf } from '../store.ts';
import { postgres } from './dialect.ts';
import { createLimitedPool } from './pool.ts';

const FORMAT = 1;
const ROWS = 500;
const BATCH_CHARACTERS = 4_000_000;
const COUNTED = ['orgs', 'sources', 'releases', 'users'];

interface TableShape {
  table: string;
  columns: { name: string; type: string }[];
}

interface Header {
  format: number;
  engine: 'postgres';
  takenAt: string;
  migrations: number[];
  sequences: Record<string, { last: number; called: boolean }>;
  // In an order in which rows can be written: what others refer to comes first.
  tables: TableShape[];
}

interface BackupManifest {
  counts: Record<string, number>;
  sha256: string;
}

type Cells = (string | null)[];

export async function backupPostgres({ url, now }: { url: string; now: () => Date }, target: string): Promise<void> {
  await withConnection(url, (db) =>
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

async function headerOf(tx: Queries, at: Date): Promise<Header> {
  const migrations = await tx.selectFrom('schema_migrations').select('number').orderBy('number').execute();
  const { rows: sequences } = await sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = current_schema()`.execute(tx);
  const states = [];
  for (const { name } of sequences) {
    const { rows } = await sql<{ last: number; called: boolean }>`
      SELECT last_value AS last, is_called AS called FROM ${sql.table(name)}`.execute(tx);
    states.push([name, rows[0]] as const);
  }
  return {
    format: FORMAT,
    engine: 'postgres',
    takenAt: at.toISOString(),
    migrations: migrations.map(({ number }) => number),
    sequences: Object.fromEntries(states) as Header['sequences'],
    tables: await tablesOf(tx),
  };
}

async function tablesOf(tx: Queries): Promise<TableShape[]> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = current_schema() AND c.relkind = 'r' ORDER BY c.relname, a.attnum`.execute(tx);
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

// Reads the file to its end; throws when it is not what its manifest says, which is known only after the last row.
async function readBackup(
  file: string,
  take: (header: Header, table: TableShape, row: Cells) => Promise<void>,
): Promise<{ header: Header; counts: Record<string, number> }> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: Header | null = null;
  let tables = new Map<string, TableShape>();
  let manifest: BackupManifest | null = null;
  for await (const line of linesOf(file)) {
    if (manifest) throw new LineFileError(`line ${line.line}: there is something behind the manifest`);
    const value = parseLine(line);
    if (!header) {
      header = headerIn(value);
      tables = new Map(header.tables.map((shape) => [shape.table, shape]));
    } else if (!Array.isArray(value)) {
      manifest = manifestIn(value);
      continue;
    } else {
      const shape = tables.get(String(value[0]));
      if (!shape) throw new LineFileError(`line ${line.line} belongs to no table`);
      counts[shape.table] = (counts[shape.table] ?? 0) + 1;
      await take(header, shape, value[1] as Cells);
    }
    count(hash, line);
  }
  if (!header || !manifest) throw new LineFileError('the file ends without a manifest; it was cut off');
  const { counts: told, sha256 } = manifest;
  const differs = Object.entries(told).some(([table, rows]) => (counts[table] ?? 0) !== rows);
  if (differs || hash.digest('hex') !== sha256) {
    throw new LineFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return { header, counts };
}

function count(hash: Hash, { bytes }: FileLine): void {
  hash.update(bytes).update('\n');
}

async function readHeader(file: string): Promise<Header> {
  for await (const line of linesOf(file)) return headerIn(parseLine(line));
  throw new LineFileError('the file is empty');
}

function headerIn(value: unknown): Header {
  const data = isRecord(value) && value.type === 'header' && isRecord(value.data) ? value.data : {};
  if (data.engine !== 'postgres') throw new LineFileError('the file is no backup of a registry');
  if (data.format !== FORMAT) {
    throw new LineFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  const header = data as unknown as Header;
  if (!isWellFormed(header)) throw new LineFileError('the header of the backup cannot be read');
  return header;
}

// Names and types become part of statements, so nothing but these is taken from a file.
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const TYPE = /^[a-z]+(?: [a-z]+)*$/;

function isWellFormed({ tables, sequences, migrations }: Header): boolean {
  return (
    Array.isArray(tables) &&
    tables.every(
      ({ table, columns }) => NAME.test(table) && columns.every(({ name, type }) => NAME.test(name) && TYPE.test(type)),
    ) &&
    Object.keys(sequences ?? {}).every((name) => NAME.test(name)) &&
    Array.isArray(migrations)
  );
}

function manifestIn(value: unknown): BackupManifest {
  if (isRecord(value) && value.type === 'manifest' && isRecord(value.data))
    return value.data as unknown as BackupManifest;
  throw new LineFileError('the manifest cannot be read');
}

// Into a database without rows: its tables are made by the migrations that the backup had, then filled in one transaction.
export async function restorePostgres({ url, now }: { url: string; now: () => Date }, file: string): Promise<void> {
  const header = await readHeader(file);
  await withConnection(url, async (db) => {
    await migrate({ dialect: postgres, writer: db, now }, new Set(header.migrations));
    await db.transaction().execute(async (tx) => {
      // The migrations have written a few rows themselves.
      for (const { table } of [...header.tables].reverse()) await sql`DELETE FROM ${sql.table(table)}`.execute(tx);
      await fill(tx, file);
      for (const [name, { last, called }] of Object.entries(header.sequences)) {
        await sql`SELECT setval(${name}::regclass, ${last}::bigint, ${called}::boolean)`.execute(tx);
      }
    });
    await sql`ANALYZE`.execute(db);
  });
}

async function fill(tx: Queries, file: string): Promise<void> {
  let shape: TableShape | null = null;
  let rows: Cells[] = [];
  let characters = 0;
  const flush = async () => {
    if (shape && rows.length > 0) await insertRows(tx, shape, rows);
    rows = [];
    characters = 0;
  };
  await readBackup(file, async (_, table, row) => {
    if (shape !== table || rows.length >= ROWS || characters >= BATCH_CHARACTERS) await flush();
    shape = table;
    rows.push(row);
    for (const cell of row) characters += cell?.length ?? 0;
  });
  await flush();
}

async function insertRows(tx: Queries, { table, columns }: TableShape, rows: readonly Cells[]): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map(({ name, type }) => `"${name}"::${type}`).join(', ');
  const lists = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
  const text = `INSERT INTO "${table}" (${names}) SELECT ${values} FROM unnest(${lists}) AS given (${names})`;
  const cells = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  await tx.executeQuery(CompiledQuery.raw(text, cells));
}

async function withConnection<T>(url: string, work: (db: Queries) => Promise<T>): Promise<T> {
  const { pool } = createLimitedPool({ url, poolSize: 1, statementMs: 0, onError: () => {} });
  const db = kyselyOf(new PostgresDialect({ pool }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
