// Packages as an installer of the system unpacked them: `<trees>/<archive>/usr/lib/python3/dist-packages`.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isPythonText, type PythonFiles } from '../../src/domain/evidence/python/layout.ts';

const INSTALLED = 'usr/lib/python3/dist-packages';

// Null when the archive is not there.
export function readTree(trees: string, archive: string): PythonFiles | null {
  const folder = join(trees, archive, INSTALLED);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const texts = new Map<string, string>();
  const paths = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full);
    paths.add(path);
    if (isPythonText(path)) texts.set(path, readFileSync(full, 'utf8'));
  }
  return { texts, paths };
}
