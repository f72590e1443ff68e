import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pooledTasks } from '../../threads/documents.ts';
import { MAX_OTHERS, readProject } from './project-files.ts';

const ADDED = 2_000;
const after = Array.from({ length: ADDED }, (_, at) => `added${at}==1.0.0`).join('\n');
const files = [{ text: 'acme==1.0.0\n' }, { text: `acme==2.0.0\n${after}\n` }];

describe('the files of a project', () => {
  it('are read on a thread where they are long, into a list with an end', async () => {
    const before = pooledTasks();
    const read = await readProject({ files });
    assert.equal(pooledTasks() - before, 1);
    assert.ok('upgrades' in read);
    assert.deepEqual(
      read.upgrades.map(({ name }) => name),
      ['acme'],
    );
    assert.deepEqual([read.others.length, read.othersOmitted], [MAX_OTHERS, ADDED - MAX_OTHERS]);
  });

  it('can be read back from the page that showed them', async () => {
    const read = await readProject({ files });
    assert.deepEqual(await readProject({ files: [], readBefore: JSON.stringify(read) }), {
      ...read,
      hidden: 0,
      elsewhere: 0,
      otherEcosystems: 0,
    });
    assert.ok('problem' in (await readProject({ files: [], readBefore: '{' })));
  });
});
