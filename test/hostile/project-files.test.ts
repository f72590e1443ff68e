// Files of a project that are pipes, devices or links to elsewhere: each command says so and ends.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { checkProject } from '../../src/check/check-project.ts';
import { LOCKFILES } from '../../src/domain/upgrade/lockfiles/names.ts';
import { allowedFolder } from '../../src/mcp/folders.ts';
import { type Cli, createCli } from '../support/cli.ts';
import { scratchFolder } from '../support/scratch.ts';

const LOCK = JSON.stringify({ lockfileVersion: 3, packages: { '': {} } });
const YARN = '# yarn lockfile v1\n\n"lamp@^1.0.0":\n  version "1.0.0"\n';

// Each way to be no file of the project.
const WAYS: Record<string, (path: string, outside: string) => Promise<void>> = {
  pipe: async (path) => void execFileSync('mkfifo', [path]),
  'link to a device': (path) => symlink('/dev/zero', path),
  'link to a pipe': async (path, outside) => {
    execFileSync('mkfifo', [join(outside, 'pipe')]);
    await symlink(join(outside, 'pipe'), path);
  },
  'link that leaves': async (path, outside) => {
    await writeFile(join(outside, 'file'), LOCK);
    await symlink(join(outside, 'file'), path);
  },
  'huge file': async (path) => {
    await writeFile(path, '');
    await truncate(path, 2 ** 33);
  },
};
const SETTINGS = ['package.json', 'pyproject.toml', 'pnpm-workspace.yaml', '.npmrc', '.registry-check.json'];
const REFUSED = /is no regular file|is a link that leaves its folder|is larger than (?:4|64) MiB|is too large/;

describe('files of a project that are none', () => {
  let cli: Cli;
  let folder: string;
  let outside: string;

  before(async () => {
    cli = await createCli('http://127.0.0.1:9');
  });
  beforeEach(async () => {
    folder = await scratchFolder('registry-files-');
    outside = await scratchFolder('registry-outside-');
  });
  const clear = async () => {
    for (const made of [folder, outside]) await rm(made, { recursive: true, force: true });
  };
  afterEach(clear);
  after(clear);

  for (const [way, make] of Object.entries(WAYS)) {
    for (const name of [...LOCKFILES, ...SETTINGS, '.yarnrc.yml']) {
      it(`${way}: ${name}`, async () => {
        const isLock = !SETTINGS.includes(name) && name !== '.yarnrc.yml';
        if (name === '.yarnrc.yml') await writeFile(join(folder, 'yarn.lock'), YARN);
        else if (!isLock) await writeFile(join(folder, 'package-lock.json'), LOCK);
        await make(join(folder, name), outside);
        const checked = await cli.run(['check', '--folder', folder, '--offline'], { env: { REGISTRY_API_URL: '' } });
        assert.equal(checked.code, 1, checked.stdout);
        assert.match(checked.stderr, REFUSED);
        assert.ok(checked.stderr.includes(name), checked.stderr);
        if (!isLock) return;
        for (const args of [
          ['stack', 'push', join(folder, name), '--name', 'x'],
          ['whats-changed', '--lockfile', join(folder, name), join(folder, name)],
        ]) {
          const { code, stderr } = await cli.run(args);
          assert.equal(code, 1, args.join(' '));
          assert.match(stderr, REFUSED);
        }
      });
    }
  }

  it('an agent is told the same', async () => {
    await WAYS.pipe?.(join(folder, 'yarn.lock'), outside);
    const real = await allowedFolder(folder, { roots: [folder], clientRoots: null });
    const options = {
      env: {},
      isOffline: true,
      base: null,
      ignore: '',
      notes: null,
      to: 'latest',
      isIndirect: false,
    } as const;
    const checked = checkProject(real, {
      ...options,
      include: new Set(),
      only: null,
      signal: new AbortController().signal,
    });
    await assert.rejects(checked, { name: 'ProjectFault', message: 'yarn.lock is no regular file' });
  });

  it('links that stay in the repository are followed', async () => {
    execFileSync('git', ['init', '--quiet', folder]);
    await mkdir(join(folder, 'shared'));
    await mkdir(join(folder, 'app'));
    await writeFile(join(folder, 'shared/package-lock.json'), LOCK);
    await symlink('../shared/package-lock.json', join(folder, 'app/package-lock.json'));
    const run = ['check', '--folder', join(folder, 'app'), '--offline', '--json'];
    const { code, stderr } = await cli.run(run, { env: { REGISTRY_API_URL: '' } });
    assert.equal(code, 0, stderr);
  });

  it('workspaces and sources that are none are left out', async () => {
    await writeFile(join(folder, 'package-lock.json'), LOCK);
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ workspaces: ['a', `${'*a'.repeat(40)}b`, '**/**/**'] }),
    );
    await mkdir(join(folder, 'a'));
    await mkdir(join(folder, 'a'.repeat(200)));
    await symlink('..', join(folder, 'a/up'));
    execFileSync('mkfifo', [join(folder, 'a/package.json'), join(folder, 'a/index.ts')]);
    await symlink('/dev/zero', join(folder, 'a/zero.ts'));
    const run = ['check', '--folder', folder, '--offline', '--json'];
    const { code, stderr } = await cli.run(run, { env: { REGISTRY_API_URL: '' } });
    assert.equal(code, 0, stderr);
  });
});
