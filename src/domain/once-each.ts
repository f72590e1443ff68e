import { elementAt } from './records.ts';

// Does the work once for equal items, because two lockfiles, or two lines of one, often name the same package.
export async function onceEach<T, R>(items: readonly T[], work: (distinct: T[]) => Promise<R[]>): Promise<R[]> {
  const keys = items.map((item) => JSON.stringify(item));
  const distinct = new Map(items.map((item, index) => [elementAt(keys, index), item]));
  const results = await work([...distinct.values()]);
  const slots = new Map([...distinct.keys()].map((key, slot) => [key, slot]));
  return keys.map((key) => elementAt(results, slots.get(key) ?? 0));
}
