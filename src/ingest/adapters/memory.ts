// What an adapter or a job remembers of a source between runs, by name; the values are JSON.
export type Memory = Readonly<Record<string, unknown>>;

declare const content: unique symbol;

// The name of a value, with the type of what is stored under it.
type MemoryKey<T> = string & { readonly [content]: T };

export function memoryKey<T>(name: string): MemoryKey<T> {
  return name as MemoryKey<T>;
}

// Null when nothing is stored under the name.
export function recall<T>(memory: Memory | undefined, key: MemoryKey<T>): T | null {
  return (memory?.[key] as T | undefined) ?? null;
}

// Null removes the value.
export function remember<T>(key: MemoryKey<T>, value: T | null): Memory {
  return { [key]: value };
}
