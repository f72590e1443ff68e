// Loaded before a program, which then runs as if the made-up source type had been added to its sources. Everything else
// is loaded as usual, and from the compile cache.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADAPTERS_FILE, edited, FOLDER_IMPORT, TYPES_FILE } from './edits.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILES = new Map([TYPES_FILE, ADAPTERS_FILE].map((file) => [pathToFileURL(join(ROOT, file)).href, file]));
const FOLDER = new URL('./gopher.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === FOLDER_IMPORT && FILES.has(context.parentURL ?? '')
      ? { url: FOLDER, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const file = FILES.get(url);
    if (file === undefined) return next(url, context);
    const source = edited(file, readFileSync(join(ROOT, file), 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
