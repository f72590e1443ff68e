// JSON columns: the row type defines their shape, and only these two functions read and write them.

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
