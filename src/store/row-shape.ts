// Rows as objects of one shape, on both engines.

export type ToObject = (values: readonly unknown[]) => unknown;

const MAX_SHAPES = 1000;
const shapes = new Map<string, ToObject>();

// Objects that are filled key by key become hash tables, like those of SQLite itself, and cost a multiple to create and to
// read.
export function rowShape(columns: readonly string[]): ToObject {
  const key = JSON.stringify(columns);
  let toObject = shapes.get(key);
  if (toObject === undefined) {
    if (shapes.size >= MAX_SHAPES) shapes.clear();
    toObject = objectLiteral(columns);
    shapes.set(key, toObject);
  }
  return toObject;
}

// Only an object literal has its shape known in advance, so one is compiled for each list of columns. The names come
// from the statements of this service, and they are quoted.
function objectLiteral(columns: readonly string[]): ToObject {
  const fields = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as ToObject;
}
