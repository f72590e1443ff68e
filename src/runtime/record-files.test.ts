// Records of folders, archives and single files.
import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { entry, tgz } from '../domain/archive/archive.fixture.ts';
import { zipped } from '../domain/archive/zip-entries.fixture.ts';
import { RECORD_LIMITS, recordFiles } from './record-files.ts';

const BIG = 'x'.repeat(2_000);
const LIMITS = { ...RECORD_LIMITS, recordBytes: 1_000 };

describe('records of strangers', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'registry-records-'));
    const folder = join(home, 'folder');
    await mkdir(join(folder, 'npm'), { recursive: true });
    await writeFile(join(folder, 'a.json'), '1');
    await writeFile(join(folder, 'npm', 'b.json'), '2');
    await writeFile(join(folder, 'big.json'), BIG);
    await writeFile(join(folder, 'README.md'), 'no');
    await writeFile(join(home, 'secret.json'), 'secret');
    await symlink(join(home, 'secret.json'), join(folder, 'link.json'));
    const members = [
      { name: 'a.json', body: '1' },
      { name: 'npm/b.json', body: '2' },
      { name: 'big.json', body: BIG },
      { name: 'README.md', body: 'no' },
      { name: '../up.json', body: '3' },
    ];
    await writeFile(join(home, 'all.zip'), zipped(members));
    await writeFile(join(home, 'all.tar.gz'), tgz(members.map((one) => entry(one))));
    await writeFile(join(home, 'none.zip'), 'nothing');
  });
  after(() => rm(home, { recursive: true }));

  const read = async (path: string, limits = LIMITS) => {
    const records = await Array.fromAsync(recordFiles(join(home, path), undefined, limits));
    return records.map((one) => (one === null ? null : Buffer.from(one).toString())).sort();
  };

  it('come from a folder, never along a link, and one that is too large is counted', async () => {
    assert.deepEqual(await read('folder'), ['1', '2', null]);
  });

  it('come from archives without being unpacked', async () => {
    assert.deepEqual(await read('all.tar.gz'), ['1', '2', null]);
    // Paths of entries are no paths on the disk.
    assert.deepEqual(await read('all.zip'), ['1', '2', '3', null]);
  });

  it('come from one file', async () => {
    assert.deepEqual(await read('folder/a.json'), ['1']);
  });

  it('that are more than may be read are an error, and so is what is no archive', async () => {
    for (const path of ['folder', 'all.tar.gz', 'all.zip']) {
      await assert.rejects(read(path, { ...LIMITS, records: 1 }), /more than/);
      await assert.rejects(read(path, { ...LIMITS, bytes: 1 }), path);
    }
    await assert.rejects(read('none.zip'), /cut off, or no zip/);
    await assert.rejects(read('missing'), /is not there/);
  });
});
