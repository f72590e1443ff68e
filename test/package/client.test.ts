// The client as a package of its own: small, without the server, and able to check a project where nothing else is installed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { buildClient } from '../../tools/build-package.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const run = promisify(execFile);
const MODULES = join(import.meta.dirname, '../../node_modules');
const MEGABYTE = 1_000_000;

// What npm would install with it.
function neededPackages(names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found) {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(MODULES, name, 'package.json'), 'utf8'),
    );
    const optional = Object.keys(optionalDependencies).filter((one) =>
      statSync(join(MODULES, one), { throwIfNoEntry: false }),
    );
    for (const one of [...Object.keys(dependencies), ...optional]) found.add(one);
  }
  return [...found];
}

function bytesOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.reduce((sum, one) => sum + (one.isFile() ? statSync(join(one.parentPath, one.name)).size : 0), 0);
}

describe('the package of the client', () => {
  let folder: string;
  let home: string;
  let manifest: { bin: object; dependencies: object };
  let packages: string[];

  before(async () => {
    folder = await scratchFolder('registry-client-');
    home = join(folder, 'node_modules', 'release-registry-client');
    await buildClient(home);
    manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    packages = neededPackages(Object.keys(manifest.dependencies));
    for (const name of packages) {
      mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
      symlinkSync(join(MODULES, name), join(folder, 'node_modules', name));
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('the client takes at most 60 MB with all that it needs', () => {
    const total = [home, ...packages.map((name) => join(MODULES, name))].reduce((sum, path) => sum + bytesOf(path), 0);
    assert.ok(total <= 60 * MEGABYTE, `${Math.round(total / MEGABYTE)} MB`);
    assert.deepEqual(manifest.bin, { registry: 'bin/registry.mjs' });
  });

  it('checks a project', async (t) => {
    const types = (text: string) => ({
      manifest: { types: 'index.d.ts', main: 'index.js' },
      files: { 'index.js': '', 'index.d.ts': text },
    });
    const registry = await startNpmRegistry({
      lamp: {
        '1.0.0': types('export declare const a: 1; export declare const b: 1;'),
        '2.0.0': types('export declare const a: 1;'),
      },
    });
    t.after(registry.close);
    const work = join(folder, 'work');
    mkdirSync(work);
    const lockfile = {
      lockfileVersion: 3,
      packages: { '': { dependencies: { lamp: '1' } }, 'node_modules/lamp': { version: '1.0.0' } },
    };
    writeFileSync(join(work, 'package-lock.json'), JSON.stringify(lockfile));
    const env = {
      HOME: folder,
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
      PATH: process.env.PATH ?? '',
    };
    const program = join(home, 'bin', 'registry.mjs');
    const { stdout } = await run(process.execPath, [program, 'check', '--json'], { cwd: work, env });
    const [row] = JSON.parse(stdout).packages;
    assert.deepEqual([row.package, row.judgement, row.reason], ['lamp', 'breaks', '`b` is no longer exported']);
    const help = await run(process.execPath, [program, 'help'], { env });
    assert.match(help.stdout, /\bcheck\b/);
    assert.doesNotMatch(help.stdout, /\bserve\b/);
  });
});
