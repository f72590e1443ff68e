import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../main.ts';

const record = (id: string, ecosystem: string) => ({
  id,
  affected: [{ package: { ecosystem, name: 'lamp' }, versions: ['1.0.0'] }],
});

describe('registry import advisories', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'registry-import-advisories-'));
    await mkdir(join(home, 'osv'));
    const files = { a: record('A-1', 'npm'), b: record('B-1', 'PyPI'), c: record('C-1', 'Maven'), d: 'none' };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(home, 'osv', `${name}.json`), JSON.stringify(content));
    }
  });
  after(() => rm(home, { recursive: true }));

  async function run(...args: string[]) {
    const [out, err]: [string[], string[]] = [[], []];
    const env = { REGISTRY_DATA_DIR: join(home, 'data'), REGISTRY_LOG_LEVEL: 'silent' };
    const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
    const code = await runCommand({ args: ['import', 'advisories', ...args], env }, terminal);
    return { code, out, err };
  }

  it('counts the records of each ecosystem, and what it could not read', async () => {
    const { code, out } = await run(join(home, 'osv'));
    assert.equal(code, 0);
    assert.deepEqual(out, [
      'npm\t1 advisories, in place of those before',
      'PyPI\t1 advisories, in place of those before',
      'skipped\t1 files that are no records or cannot be read',
    ]);
    const data = await run(join(home, 'osv'), '--json');
    assert.deepEqual(JSON.parse(data.out.join('')), { records: { npm: 1, pypi: 1 }, unreadable: 1 });
  });

  it('says why nothing was imported', async () => {
    for (const [path, said] of [
      [join(home, 'missing'), /cannot be read: is not there or cannot be read; nothing was changed/],
      [join(home, 'osv', 'c.json'), /has no advisory on a package of npm or PyPI in the OSV form/],
    ] as const) {
      const { code, err } = await run(path);
      assert.equal(code, 1);
      assert.match(err.join('\n'), said);
    }
    assert.equal((await run()).code, 2);
  });
});
