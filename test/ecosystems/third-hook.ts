// Loads the table with a third entry in place of that of the program.
import { registerHooks } from 'node:module';

const OWN = new URL('../../src/domain/ecosystems/table.ts', import.meta.url).href;
const THIRD = new URL('./table.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === OWN ? { ...found, url: THIRD } : found;
  },
});
