// The package as it is after `npm install -g`: packed by npm, unpacked below its own `node_modules`, with what npm installs
// beside it and nothing else. That is linked, so that no network is needed.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeProgramFolder } from '../../tools/package-folder.ts';
import { scratchFolder } from './scratch.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface InstalledPackage {
  // An empty working directory.
  work: string;
  // The folder of the package.
  home: string;
  // The names of the packed files.
  files: string[];
  packedBytes: number;
  // The folders of the packages that npm installs beside it.
  beside: string[];
  // A PATH on which `registry` is found, and nothing of the repository.
  path: string;
  remove(): Promise<void>;
}

export async function installPackage(): Promise<InstalledPackage> {
  const folder = await scratchFolder('registry-package-');
  const program = join(folder, 'program');
  await makeProgramFolder(program);
  const packed = await packFolder(program, folder);
  const modules = join(folder, 'lib', 'node_modules');
  const home = join(modules, 'release-registry');
  const work = join(folder, 'work');
  const bin = join(folder, 'bin');
  for (const path of [home, work, bin]) mkdirSync(path, { recursive: true });
  await run('tar', ['-xzf', packed.path, '-C', home, '--strip-components=1']);
  await rm(program, { recursive: true });
  await rm(packed.path);
  const beside = linkDependencies(home, modules);
  symlinkSync(join(home, 'bin', 'registry.mjs'), join(bin, 'registry'));
  symlinkSync(process.execPath, join(bin, 'node'));
  return {
    work,
    home,
    files: packed.files,
    packedBytes: packed.size,
    beside,
    path: [bin, '/usr/bin', '/bin'].join(delimiter),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

// Packs a folder as it is into a file in another one.
export async function packFolder(from: string, into: string): Promise<{ path: string; size: number; files: string[] }> {
  const { stdout } = await run('npm', ['pack', from, '--json', '--pack-destination', into], { cwd: ROOT });
  const [packed] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))) as {
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  if (!packed) throw new Error(`npm has packed nothing: ${stdout}`);
  const { filename, size, files } = packed;
  return { path: join(into, filename), size, files: files.map(({ path }) => path) };
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

// What the package does not bring itself, with what that needs.
function linkDependencies(home: string, modules: string): string[] {
  const needed = new Set<string>();
  const waiting = [home];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { dependencies, optionalDependencies }: Manifest = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (existsSync(join(home, 'node_modules', name)) || needed.has(name)) continue;
      // Made for another platform.
      if (optionalDependencies?.[name] && !existsSync(join(ROOT, 'node_modules', name))) continue;
      needed.add(name);
      waiting.push(join(ROOT, 'node_modules', name));
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }
  return [...needed].map((name) => join(ROOT, 'node_modules', name));
}

export function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, one) => sum + (one.isFile() ? statSync(join(one.parentPath, one.name)).size : 0), 0);
}
