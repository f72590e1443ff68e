// How the engine tidies its memory.
import { setFlagsFromString } from 'node:v8';

export const HEAP_GROWTH = '--heap-growing-percent=300';

// A tidying of the whole heap holds up every request for a tenth of a second: seldom, at the price of some memory.
export function tidySeldom(): void {
  setFlagsFromString(HEAP_GROWTH);
}
