// The file of the local model, made once for all tests: writing its 90 MB for each app would take longer than they do.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/release-registry/models', import.meta.url));

export function sharedModelFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  return CACHE;
}

// For an app whose data directory this will be.
export function lendModel(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  symlinkSync(sharedModelFolder(), join(dataDir, 'models'), 'junction');
}
