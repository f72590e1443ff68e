// Objects as tables of fields, and lists that are read by position, with their types.

export function keysOf<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[];
}

// One value for each key of a closed set.
export function recordOf<K extends string | number, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}

export function withoutUndefined<T extends object>(record: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const key of keysOf(record)) if (record[key] !== undefined) defined[key] = record[key];
  return defined;
}

// The element at a position that must exist, such as one that was found in the list or in a list of the same length.
export function elementAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return list[index] as T;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

// The code of an error of the system, of PostgreSQL or of SQLite; undefined when the error has none.
export function errorCode(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}

export function errorMessage(error: unknown): string {
  return isRecord(error) && typeof error.message === 'string' ? error.message : '';
}

// The named fields of a record, in the order in which they are named. Shapes and answers choose from the fields of an
// entity with it, so that each field is declared once and made from its row once.
export function pick<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  ...names: readonly Name[]
): Pick<Fields, Name> {
  const picked: Partial<Fields> = {};
  for (const name of names) picked[name] = fields[name];
  return picked as Pick<Fields, Name>;
}
