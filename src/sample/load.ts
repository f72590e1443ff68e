// Fills an empty registry with the packages that this program is built from, read from the disk: real versions and real
// notes, without network. Their sources stay paused.
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.ts';
import { type FillOptions, fillEmpty } from '../entities/registry/fill-empty.ts';
import { writeSample } from '../entities/registry/sample.ts';
import { readTotals } from '../entities/registry/stats.ts';
import { collectFolders } from '../ingest/local-import/collect.ts';
import { importPackages } from '../ingest/local-import/import-all.ts';
import { curate } from './curate.ts';

interface SampleOptions extends FillOptions {
  // The folder of the program whose packages are read.
  program?: string;
}

// Whether data was loaded; a registry that holds anything is left alone. Fails when no package is installed.
export function loadSample(ctx: Context, { program, ...options }: SampleOptions = {}): Promise<boolean> {
  const { signal } = options;
  return fillEmpty(ctx, options, {
    prepare: async () => collectFolders(await ownPackages(program)),
    load: async (ctx, packages, step) => {
      if (packages.length === 0) throw new NothingInstalled('no package is installed beside the program');
      const onProgress = (done: number) => step(done, packages.length);
      await importPackages(ctx, packages, { onProgress, signal });
      await curate(ctx);
      const { sources } = await readTotals(ctx, { days: 1 });
      await writeSample(ctx, { packages: packages.length, sources });
    },
  });
}

export class NothingInstalled extends Error {}

// The packages that this program is built from, wherever they are installed: below the program, beside it, or linked.

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

// The folder of the program, in the repository and in the installed package.
export const PROGRAM_FOLDER = fileURLToPath(new URL('../..', import.meta.url));

// The real paths of their folders. What is not installed, such as tools for development, is left out.
async function ownPackages(program = PROGRAM_FOLDER): Promise<string[]> {
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
  return program === PROGRAM_FOLDER ? [...found, ...(await broughtPackages())] : [...found];
}

// The packed program is one with most of its packages, and brings what is told of them.
const BROUGHT = fileURLToPath(new URL('./packages/', import.meta.url));

async function broughtPackages(): Promise<string[]> {
  const names = await readdir(BROUGHT).catch(() => []);
  return names.sort().map((name) => join(BROUGHT, name));
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
