import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { allowedFolder, realOf } from './folders.ts';

describe('folders that may be checked', () => {
  let base: string;
  let root: string;

  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'registry-folders-')));
    root = join(base, 'open');
    for (const folder of ['open/app', 'open/other', 'open-too', 'closed/app']) {
      await mkdir(join(base, folder), { recursive: true });
    }
    await symlink(join(base, 'closed'), join(root, 'way-out'));
    await symlink(join(root, 'app'), join(base, 'way-in'));
  });
  after(() => rm(base, { recursive: true }));

  const ask = (folder: string, clientRoots: string[] | null = null) =>
    allowedFolder(folder.replace('BASE', base), { roots: [root], clientRoots });

  it('are below a root, by their real paths', async () => {
    assert.equal(await ask('BASE/open'), root);
    assert.equal(await ask('BASE/open/app/'), join(root, 'app'));
    assert.equal(await ask('app'), join(root, 'app'));
    assert.equal(await ask('BASE/way-in'), join(root, 'app'));
  });

  const refused = [
    '/',
    '..',
    '../closed/app',
    'BASE/closed/app',
    'BASE/open-too',
    'BASE/open/way-out',
    'BASE/open/way-out/app',
    'BASE/open/../closed/app',
    'BASE/open/missing',
    'app\0',
  ];
  for (const folder of refused) {
    it(`refuses ${JSON.stringify(folder)}`, () => assert.rejects(ask(folder), /must be a folder below/));
  }

  it('a root that is a link stands for the folder that it leads to', async () => {
    const real = await realOf(join(base, 'way-in'));
    assert.equal(real, join(root, 'app'));
    const asked = (folder: string) => allowedFolder(folder, { roots: [real ?? ''], clientRoots: null });
    assert.equal(await asked('.'), real);
    assert.equal(await asked(join(base, 'way-in')), real);
    await assert.rejects(asked('../other'), /must be a folder below/);
  });

  it('have no lockfile and no settings that are links to files elsewhere', async () => {
    await writeFile(join(base, 'closed/yarn.lock'), '');
    await writeFile(join(root, 'other/package.json'), '{}');
    for (const [name, target] of [
      ['yarn.lock', join(base, 'closed/yarn.lock')],
      ['.npmrc', '/etc/hosts'],
    ] as const) {
      const folder = join(root, `linked${name}`);
      await mkdir(folder);
      await symlink(target, join(folder, name));
      await assert.rejects(ask(folder), new RegExp(`link to a file elsewhere: ${name}`));
    }
    await symlink(join(root, 'other/package.json'), join(root, 'app/package.json'));
    await symlink(join(base, 'nowhere'), join(root, 'app/yarn.lock'));
    assert.equal(await ask('app'), join(root, 'app'));
  });

  it('the roots of the client narrow them', async () => {
    const app = String(pathToFileURL(join(root, 'app')));
    assert.equal(await ask('app', [app]), join(root, 'app'));
    await assert.rejects(ask('other', [app]), /not below a root that this client has opened/);
    await assert.rejects(ask('app', []), /not below a root/);
    await assert.rejects(ask('app', ['https://x.example/', 'file://%zz', 'app']), /not below a root/);
    await assert.rejects(ask('BASE/closed/app', [String(pathToFileURL(base))]), /must be a folder below/);
  });
});
