// How the engine tidies its memory.
import { setFlagsFromString } from 'node:v8';

const GROWTH_PERCENT = 300;

/** A tidying of the whole heap holds up every request for a tenth of a second: seldom, at the price of some memory. */
export function tidySeldom(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
