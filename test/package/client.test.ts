// The client as a package of its own: installed by npm from the packed file into an empty folder, small, without the server, and
// able to check a project there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeClientFolder } from '../../tools/package-folder.ts';
import { bytesBelow, packFolder } from '../support/installed-package.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';

const run = promisify(execFile);
const MEGABYTE = 1_000_000;

describe('the package of the client', () => {
  let folder: string;
  let home: string;

  before(async () => {
    folder = await scratchFolder('registry-client-');
    const packed = join(folder, 'packed');
    await makeClientFolder(packed);
    const { path } = await packFolder(packed, folder);
    await rm(packed, { recursive: true });
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    // Nothing is downloaded: the file holds all.
    const quiet = ['--no-audit', '--no-fund', '--offline', '--cache', join(folder, 'cache')];
    await run('npm', ['install', '--prefix', empty, ...quiet, path], { cwd: empty });
    await rm(path);
    home = join(empty, 'node_modules', 'release-registry-client');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('takes at most 30 MB with all that it needs, in at most three packages', () => {
    const modules = join(home, '..');
    const total = bytesBelow(modules);
    assert.ok(total <= 30 * MEGABYTE, `${Math.round(total / MEGABYTE)} MB`);
    const packages = globSync(['*/package.json', '*/node_modules/*/package.json'], { cwd: modules });
    assert.deepEqual(packages.sort(), [
      'release-registry-client/node_modules/typescript-api/package.json',
      'release-registry-client/package.json',
    ]);
    assert.ok(existsSync(join(modules, '.bin', 'registry')));
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
