import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { changelogOf, type Disk, openDisk } from '../ingest/local-import/disk.fixture.ts';
import { runCommand } from '../main.ts';

let disk: Disk;

async function run(data: string, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const env = { REGISTRY_DATA_DIR: join(disk.root, data), REGISTRY_LOG_LEVEL: 'silent' };
  const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const code = await runCommand({ args, env }, terminal);
  return { code, out, err: err.join('\n') };
}

describe('registry export and import', () => {
  before(async () => {
    disk = await openDisk();
    const metadata = { name: 'engine', version: '1.1.0', repository: 'acme/engine' };
    await disk.package('node_modules/engine', metadata, changelogOf('1.1.0', '1.0.0'));
    await run('data', 'import', 'node_modules', disk.root);
  });
  after(() => disk.remove());

  it('0: a plain file and a packed one hold the same; another registry reads either', async () => {
    const [plain, packed] = [join(disk.root, 'all.ndjson'), join(disk.root, 'all.ndjson.gz')];
    const first = await run('data', 'export', plain);
    const second = await run('data', 'export', packed, '--json');
    const dry = await run('copy', 'import', packed, '--dry-run');
    const read = await run('copy', 'import', packed);
    const again = await run('copy', 'import', plain, '--json');

    assert.deepEqual([first.code, second.code, dry.code, read.code, again.code], [0, 0, 0, 0, 0]);
    const text = await readFile(plain, 'utf8');
    assert.equal(gunzipSync(await readFile(packed)).toString(), text);
    const { counts, sha256 } = JSON.parse(second.out[0] ?? '');
    assert.deepEqual([counts.release, first.out.at(-1)], [2, `sha256\t${sha256}`]);
    assert.ok(read.out.includes('release\t2 added\t0 changed\t0 unchanged\t0 not taken'), read.out.join('\n'));
    assert.deepEqual(dry.out, read.out);
    assert.equal(JSON.parse(again.out[0] ?? '').counts.release.unchanged, 2);
    assert.deepEqual(
      (await readdir(disk.root)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('a dry run where there is no registry makes none', async () => {
    const file = join(disk.root, 'dry.ndjson');
    await run('data', 'export', file);

    const read = await run('none', 'import', file, '--dry-run');
    const fetched = await run('none', 'fetch', '--dry-run');

    assert.deepEqual([read.code, fetched.code], [0, 1]);
    assert.ok(read.out.includes('release\t2 added\t0 changed\t0 unchanged\t0 not taken'), read.out.join('\n'));
    assert.match(fetched.err, /there is no registry yet/);
    assert.ok(!(await readdir(disk.root)).includes('none'));
  });

  it('1: what is not there, and a file that was changed', async () => {
    const file = join(disk.root, 'changed.ndjson');
    await run('data', 'export', file);
    await writeFile(file, (await readFile(file, 'utf8')).replace('1.0.0', '1.0.1'));

    const changed = await run('other', 'import', file);
    const missing = await run('other', 'import', join(disk.root, 'nowhere.ndjson'));
    const unknown = await run('data', 'export', join(disk.root, 'x.ndjson'), '--org', 'nobody');
    const unwritable = await run('data', 'export', join(disk.root, 'no-folder', 'x.ndjson'));
    const empty = await run('never-used', 'export', join(disk.root, 'x.ndjson'));

    assert.deepEqual(
      [changed, missing, unknown, unwritable, empty].map(({ code }) => code),
      [1, 1, 1, 1, 1],
    );
    assert.match(changed.err, /changed\.ndjson: the manifest does not match/);
    assert.match(missing.err, /nowhere\.ndjson is not there/);
    assert.match(unknown.err, /no public org "nobody"/);
    assert.match(unwritable.err, /ENOENT|no such file/);
    assert.match(empty.err, /migrations are pending .*run `registry migrate` first/);
  });

  it('130: interrupted; the same command brings the rest', async () => {
    const file = join(disk.root, 'all.ndjson');
    const others = process.listeners('SIGINT');
    const added = () => process.listeners('SIGINT').filter((listener) => !others.includes(listener));
    const running = run('interrupted', 'import', file);
    while (added().length === 0) await setImmediate();
    // Only the listeners of the command are called: the test runner listens too, and would exit.
    for (const listener of added()) listener('SIGINT');
    const stopped = await running;
    const again = await run('interrupted', 'import', file);

    assert.deepEqual([stopped.code, stopped.out], [130, ['interrupted; the same command goes on from here']]);
    assert.equal(again.code, 0, again.err);
    assert.ok(again.out.includes('release\t2 added\t0 changed\t0 unchanged\t0 not taken'));
    assert.deepEqual(added(), []);
  });

  it('2: no file, two files, a time that is none, a dry run of something else', async () => {
    const calls = [
      ['export'],
      ['export', 'a', 'b'],
      ['export', 'a', '--since', 'soon'],
      ['import', 'changelog', '.', '--dry-run'],
    ];
    for (const args of calls) assert.equal((await run('data', ...args)).code, 2, args.join(' '));
  });
});
