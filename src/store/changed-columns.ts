// The columns of `wanted` that differ from the stored row; undefined means that a column stays as it is.
export function changedColumns<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> {
  const stored: Partial<Record<string, unknown>> = { ...row };
  const differing = Object.entries(wanted).filter(([column, value]) => value !== undefined && value !== stored[column]);
  return Object.fromEntries(differing) as Partial<Row>;
}
