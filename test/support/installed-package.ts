// The package as it is after `npm install -g`: packed by npm, unpacked below its own `node_modules`, with its run-time
// dependencies and no others. They are linked, so that no network is needed.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
  // A PATH on which `registry` is found, and nothing of the repository.
  path: string;
  remove(): Promise<void>;
}

export async function installPackage(): Promise<InstalledPackage> {
  const folder = await scratchFolder('registry-package-');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
  const [packed] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))) as {
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  if (!packed) throw new Error(`npm has packed nothing: ${stdout}`);
  const modules = join(folder, 'lib', 'node_modules');
  const home = join(modules, 'release-registry');
  const work = join(folder, 'work');
  const bin = join(folder, 'bin');
  for (const path of [home, work, bin]) mkdirSync(path, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', home, '--strip-components=1']);
  linkDependencies(join(home, 'node_modules'));
  symlinkSync(join(home, 'bin', 'registry.mjs'), join(bin, 'registry'));
  symlinkSync(process.execPath, join(bin, 'node'));
  return {
    work,
    home,
    files: packed.files.map(({ path }) => path),
    packedBytes: packed.size,
    path: [bin, '/usr/bin', '/bin'].join(delimiter),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

// The packages of the lock file that are not only for development.
function linkDependencies(modules: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || dev) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
}
