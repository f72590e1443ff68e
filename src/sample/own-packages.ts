// The packages that this program is built from, wherever they are installed: below the program, beside it, or linked.
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

// The folder of the program, in the repository and in the installed package.
export const PROGRAM_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

// The real paths of their folders. What is not installed, such as tools for development, is left out.
export async function ownPackages(program = PROGRAM_FOLDER): Promise<string[]> {
  const found = new Set<string>();
  const waiting = [{ folder: program, isProgram: true }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of await namesNeededBy(next.folder, next.isProgram)) {
      const folder = await installedFolder(name, next.folder);
      if (folder === null || found.has(folder)) continue;
      found.add(folder);
      waiting.push({ folder, isProgram: false });
    }
  }
  return [...found];
}

async function namesNeededBy(folder: string, isProgram: boolean): Promise<string[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest;
  return Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...(isProgram ? devDependencies : {}),
  });
}

// As Node finds it: in the nearest folder `node_modules` on the way up.
async function installedFolder(name: string, from: string): Promise<string | null> {
  const { root } = parse(from);
  for (let folder = from; ; folder = dirname(folder)) {
    const path = await realpath(join(folder, 'node_modules', name, 'package.json')).catch(() => null);
    if (path !== null) return dirname(path);
    if (folder === root) return null;
  }
}
