/** To whom something must belong; absent: to anybody. Lists of one name hold alternatives, names add up. */
export interface Belonging {
  orgIds?: readonly string[];
  productIds?: readonly string[];
  sourceIds?: readonly string[];
  /** The orgs behind them. */
  owners?: readonly string[];
  collectionId?: string;
}

/** What belongs to both. */
export function intersect(a: Belonging, b: Belonging): Belonging {
  const both: Belonging = { ...a, ...b };
  for (const name of ['orgIds', 'productIds', 'sourceIds', 'owners'] as const) {
    const [one, other] = [a[name], b[name]];
    if (one && other) both[name] = one.filter((id) => other.includes(id));
  }
  return both;
}
