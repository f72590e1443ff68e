// The file of a PostgreSQL backup: a header, one row per line, and a manifest that proves completeness.
// docs/operations.md describes the format.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '../../domain/records.ts';
import { LineFileError, linesOf, parseLine } from '../line-file.ts';

export const FORMAT = 1;

// Names and types become part of statements, so only these are accepted from a file.
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const type = z.string().regex(/^[a-z]+(?: [a-z]+)*$/);

const tableShape = z.object({ table: name, columns: z.array(z.object({ name, type })) });

const backupHeader = z.object({
  format: z.literal(FORMAT),
  engine: z.literal('postgres'),
  takenAt: z.string(),
  migrations: z.array(z.number()),
  sequences: z.record(name, z.object({ last: z.number(), called: z.boolean() })),
  // In the order in which rows can be inserted: referenced tables come first.
  tables: z.array(tableShape),
});

const backupManifest = z.object({ counts: z.record(z.string(), z.number()), sha256: z.string() });

export type TableShape = z.output<typeof tableShape>;
export type BackupHeader = z.output<typeof backupHeader>;
type BackupManifest = z.output<typeof backupManifest>;

// The values of one row in the server's text format.
export type Cells = (string | null)[];

export async function readHeader(file: string): Promise<BackupHeader> {
  for await (const line of linesOf(file)) return headerIn(parseLine(line));
  throw new LineFileError('the file is empty');
}

// Reads the file to its end; throws when it does not match its manifest, which is known only after the last row.
export async function readBackup(
  file: string,
  take: (table: TableShape, row: Cells) => Promise<void>,
): Promise<{ header: BackupHeader; counts: Record<string, number> }> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let header: BackupHeader | null = null;
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
      const [table, cells] = value;
      const shape = tables.get(String(table));
      if (!shape || !Array.isArray(cells)) throw new LineFileError(`line ${line.line} belongs to no table`);
      counts[shape.table] = (counts[shape.table] ?? 0) + 1;
      await take(shape, cells);
    }
    hash.update(line.bytes).update('\n');
  }
  if (!header || !manifest) throw new LineFileError('the file ends without a manifest; it was cut off');
  const differs = Object.entries(manifest.counts).some(([table, rows]) => (counts[table] ?? 0) !== rows);
  if (differs || hash.digest('hex') !== manifest.sha256) {
    throw new LineFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return { header, counts };
}

function headerIn(value: unknown): BackupHeader {
  const data = isRecord(value) && value.type === 'header' && isRecord(value.data) ? value.data : {};
  if (data.engine !== 'postgres') throw new LineFileError('the file is no backup of a registry');
  if (data.format !== FORMAT) {
    throw new LineFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  const checked = backupHeader.safeParse(data);
  if (!checked.success) throw new LineFileError('the header of the backup cannot be read');
  return checked.data;
}

function manifestIn(value: unknown): BackupManifest {
  const checked = backupManifest.safeParse(isRecord(value) && value.type === 'manifest' ? value.data : null);
  if (!checked.success) throw new LineFileError('the manifest cannot be read');
  return checked.data;
}
