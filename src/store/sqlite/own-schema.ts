// The schema that the migrations of this program make, to compare others with.
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { migrate } from '../migrate.ts';
import { kyselyOf } from '../query-builder.ts';
import { SqliteConnection } from './connection.ts';
import { sqlite } from './dialect.ts';
import { sqliteDialect } from './driver.ts';

// The statement of each table, index, view and trigger by its kind and name.
type SchemaObjects = ReadonlyMap<string, string>;

// Made anew in memory, so that nothing but the migrations has a say.
export async function ownSchema(migrations: readonly number[]): Promise<SchemaObjects> {
  const connection = new SqliteConnection({ path: ':memory:', mode: 'write', sleep: setTimeout });
  const writer = kyselyOf(sqliteDialect(connection));
  try {
    await migrate({ dialect: sqlite, writer, now: () => new Date(0) }, new Set(migrations));
    return schemaObjects(connection.database);
  } finally {
    await writer.destroy();
    connection.close();
  }
}

// Statistics that the engine keeps for itself are no part of it.
export function schemaObjects(database: DatabaseSync): SchemaObjects {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  const own = rows.filter(({ name }) => !/^sqlite_stat\d$/.test(String(name)));
  return new Map(own.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${sql}`]));
}

// The first object that only one of the two has, or that differs; null when the schemas are the same.
export function schemaDifference(found: SchemaObjects, own: SchemaObjects): string | null {
  for (const [name, statement] of found) if (own.get(name) !== statement) return name;
  for (const name of own.keys()) if (!found.has(name)) return name;
  return null;
}
