// The settings table: one text per key, mostly JSON, for state without its own table.
import { type JsonText, parseJson } from './json-text.ts';
import type { Queries } from './schema/index.ts';
import type { SettingRow } from './schema/operation.ts';

export function findSetting(db: Queries, key: string): Promise<SettingRow | undefined> {
  return db.selectFrom('settings').selectAll().where('key', '=', key).executeTakeFirst();
}

export async function readSetting<T>(db: Queries, key: string): Promise<T | null> {
  const row = await findSetting(db, key);
  return row ? parseJson(row.value as JsonText<T>) : null;
}

export async function writeSetting(tx: Queries, setting: SettingRow): Promise<void> {
  const { key: _, ...changes } = setting;
  await tx
    .insertInto('settings')
    .values(setting)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
    .execute();
}

// Writes the value unless the key exists.
export async function writeSettingOnce(tx: Queries, setting: SettingRow): Promise<void> {
  await tx
    .insertInto('settings')
    .values(setting)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}
