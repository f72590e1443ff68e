// Columns that hold JSON: the row type says what is in them, and they are read and written by these two functions alone.

declare const content: unique symbol;

export type JsonText<T> = string & { readonly [content]: T };

export function parseJson<T>(text: JsonText<T>): T {
  return JSON.parse(text);
}

export function toJson<T>(value: readonly T[]): JsonText<T[]>;
export function toJson<T>(value: T): JsonText<T>;
export function toJson(value: unknown): JsonText<unknown> {
  return JSON.stringify(value) as JsonText<unknown>;
}
