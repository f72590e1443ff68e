// A binary heap of numbers in a plain array, lowest first.

export function pushValue(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as number;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

// Takes the lowest value off a heap that is not empty.
export function popLowest(heap: number[]): number {
  const top = heap[0] as number;
  const value = heap.pop() as number;
  const size = heap.length;
  if (size === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    const lower = heap[child] as number;
    if (lower >= value) break;
    heap[at] = lower;
    at = child;
  }
  heap[at] = value;
  return top;
}
