// Does a piece of work for each of many, at most so many at once, and gives the results in the order of the list.
export async function mapConcurrently<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
  onDone: (done: number, item: T) => void = () => {},
): Promise<R[]> {
  const results: R[] = [];
  let [next, done] = [0, 0];
  const one = async () => {
    for (let at = next++; at < items.length; at = next++) {
      results[at] = await work(items[at] as T);
      done += 1;
      onDone(done, items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one));
  return results;
}
