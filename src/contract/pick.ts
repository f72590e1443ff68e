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
