import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { allowedFolder } from './folders.ts';

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

  it('the roots of the client narrow them', async () => {
    const app = String(pathToFileURL(join(root, 'app')));
    assert.equal(await ask('app', [app]), join(root, 'app'));
    await assert.rejects(ask('other', [app]), /not below a root that this client has opened/);
    await assert.rejects(ask('app', []), /not below a root/);
    await assert.rejects(ask('app', ['https://x.example/', 'file://%zz', 'app']), /not below a root/);
    await assert.rejects(ask('BASE/closed/app', [String(pathToFileURL(base))]), /must be a folder below/);
  });
});
