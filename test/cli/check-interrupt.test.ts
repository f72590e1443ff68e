// `registry check` stopped by SIGINT while it waits for somebody else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makePipe, roomFor, writeProject } from '../hostile/repositories.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const types = (text: string) => ({ manifest: { types: 'index.d.ts' }, files: { 'index.d.ts': text } });
const LAMP = {
  '1.0.0': types('export declare function off(): void;'),
  '2.0.0': types('export declare function on(): void;'),
};

describe('registry check, stopped by SIGINT', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let base: string;
  let onHeld = () => {};

  before(async () => {
    base = await scratchFolder('registry-interrupt-');
    registry = await startNpmRegistry(
      { lamp: LAMP },
      {
        // What is never answered.
        before: ({ url = '' }) => {
          if (url !== '/wire' && url !== '/held') return false;
          onHeld();
          return true;
        },
      },
    );
  });
  after(async () => {
    registry.close();
    await rm(base, { recursive: true, force: true });
  });

  const project = (name: string, needed: string) => {
    const folder = join(base, name);
    const dependencies = { [needed]: '1' };
    const packages = { '': { dependencies }, [`node_modules/${needed}`]: { version: '1.0.0' } };
    writeProject(folder, {
      'package.json': { name, dependencies },
      'package-lock.json': { lockfileVersion: 3, packages },
      'src/a.ts': `import { off } from '${needed}';\noff();\n`,
    });
    return folder;
  };
  const start = (folder: string, path = process.env.PATH ?? '') =>
    startRegistry(['check', '--folder', folder], {
      HOME: base,
      PATH: path,
      XDG_CACHE_HOME: join(base, 'cache'),
      REGISTRY_NPM_URL: registry.url,
      REGISTRY_EGRESS_ALLOW: registry.host,
    });

  it('ends while a registry does not answer', async () => {
    const run = start(project('waiting', 'wire'));
    onHeld = () => run.child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await run.ended;
    assert.deepEqual([code, signal], [130, null], stderr);
    assert.match(stdout, /^waiting: it is not known whether 1 dependency has newer versions\./);
    assert.match(stderr, /1 package could not be asked, so this report is not complete/);
  });

  it('ends while git does not, in a folder of pipes and devices', async () => {
    const folder = project('pipes', 'lamp');
    execFileSync('git', ['init', '--quiet', folder]);
    for (const path of ['src/b.ts', 'src/c.ts', 'src/inner/.git']) makePipe(join(folder, path));
    for (const device of ['zero', 'tty', 'stdin']) await symlink(`/dev/${device}`, join(folder, `src/${device}.ts`));
    const program = `#!${process.execPath}\nrequire('node:http').get('${registry.url}/held');\n`;
    await writeFile(roomFor(base, 'bin/git'), program, { mode: 0o755 });
    const run = start(folder, join(base, 'bin'));
    onHeld = () => run.child.kill('SIGINT');
    const { code, signal, stdout, stderr } = await run.ended;
    assert.deepEqual([code, signal, stdout], [130, null, ''], stderr);
  });
});
