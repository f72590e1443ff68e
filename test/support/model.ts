// The files of the local model, created once for all tests: writing its 35 MB for each app would take longer than the
// tests.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/release-registry/models', import.meta.url));

export function sharedModelFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  return CACHE;
}

// Links the model into the data directory of an app that is about to start.
export function lendModel(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(sharedModelFolder(), join(dataDir, 'models'), 'junction');
}
