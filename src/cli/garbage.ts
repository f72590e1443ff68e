// The settings of V8's garbage collector.
import { setFlagsFromString } from 'node:v8';

export const HEAP_GROWTH = '--heap-growing-percent=300';

// A full collection blocks all requests for a tenth of a second, so the heap may grow further before the next one.
export function collectGarbageSeldom(): void {
  setFlagsFromString(HEAP_GROWTH);
}
