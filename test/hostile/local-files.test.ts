// Imports of folders that somebody else has prepared: links that leave them, pipes, devices, circles and huge files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { changelogOf, type Disk, openDisk } from '../../src/ingest/local-import/disk.fixture.ts';
import { runCommand } from '../../src/main.ts';

const SECRET = `${changelogOf('9.9.9')}\n- the words of another folder\n`;

let disk: Disk;
let folder: string;

async function run(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const env = { REGISTRY_DATA_DIR: join(disk.root, 'data'), REGISTRY_LOG_LEVEL: 'silent', REGISTRY_EMBEDDER: 'off' };
  const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const code = await runCommand({ args, env }, terminal);
  return { code, out, err: err.join('\n') };
}

describe('local files of strangers', () => {
  beforeEach(async () => {
    disk = await openDisk();
    folder = join(disk.root, 'project');
    await disk.write('outside/secret.md', SECRET);
    await disk.package(
      'project/node_modules/engine',
      { name: 'engine', repository: 'acme/engine' },
      changelogOf('1.0.0'),
    );
  });
  afterEach(() => disk.remove());

  const link = async (target: string, path: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await symlink(target, join(folder, path));
  };
  const lineOf = ({ out }: { out: string[] }, name: string) => out.find((line) => line.startsWith(`${name}\t`));

  it('reads no changelog and no metadata behind a link that leaves the package', async () => {
    const metadata = (name: string) => ({ name, repository: `acme/${name}` });
    for (const name of ['absolute', 'relative', 'inside', 'other']) {
      await disk.package(`project/node_modules/${name}`, metadata(name));
    }
    await link(join(disk.root, 'outside/secret.md'), 'node_modules/absolute/CHANGELOG.md');
    await link('../../../outside/secret.md', 'node_modules/relative/CHANGELOG.md');
    await disk.write('project/node_modules/inside/docs/log.md', changelogOf('1.0.0'));
    await link('docs/log.md', 'node_modules/inside/CHANGELOG.md');
    // What lies beside a package in the same project belongs to others, too.
    await disk.write('project/.env.md', SECRET);
    await link('../../.env.md', 'node_modules/other/CHANGELOG.md');
    await disk.write('outside/package.json', JSON.stringify(metadata('stolen')));
    await disk.write('project/node_modules/linked/CHANGELOG.md', changelogOf('1.0.0'));
    await link(join(disk.root, 'outside/package.json'), 'node_modules/linked/package.json');

    const result = await run('import', 'node_modules', folder);

    assert.equal(result.code, 0, result.err);
    for (const name of ['absolute', 'relative', 'other']) {
      assert.equal(lineOf(result, name), `${name}\tsource added\ta link that leaves its folder`);
    }
    assert.match(lineOf(result, 'inside') ?? '', /inserted 1/);
    assert.ok(!result.out.join('\n').includes('stolen'));
    const file = join(disk.root, 'all.ndjson');
    await run('export', file);
    assert.ok(!(await readFile(file, 'utf8')).includes('words of another folder'));
  });

  it('tells of packages whose folder lies elsewhere, and does not read them', async () => {
    await disk.package('outside/linked', { name: 'linked', repository: 'acme/linked' }, SECRET);
    await link(join(disk.root, 'outside/linked'), 'node_modules/linked');

    const result = await run('import', 'node_modules', folder, '--json');

    const { packages, outsideFolder, totals } = JSON.parse(result.out.join(''));
    assert.deepEqual([packages.map(({ name }: { name: string }) => name), outsideFolder], [['engine'], ['linked']]);
    assert.equal(totals.outsideFolder, 1);
  });

  it('ends in folders that lead back to themselves', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await link('../..', `node_modules/.pnpm/${name}/node_modules`);
    await link('..', 'node_modules/up');
    await link('.', 'node_modules/self');
    await link('..', 'node_modules/engine/node_modules');

    const result = await run('import', 'node_modules', folder);

    assert.equal(result.code, 0, result.err);
    assert.match(lineOf(result, 'engine') ?? '', /found 1/);
  });

  it('opens no pipe, no device and no socket', async () => {
    const pipe = join(disk.root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await disk.package('project/node_modules/pipe', { name: 'pipe', repository: 'acme/pipe' });
    execFileSync('mkfifo', [join(folder, 'node_modules/pipe/CHANGELOG.md')]);
    await disk.package('project/node_modules/zero', { name: 'zero', repository: 'acme/zero' });
    await link('/dev/zero', 'node_modules/zero/CHANGELOG.md');

    const installed = await run('import', 'node_modules', folder);
    assert.equal(lineOf(installed, 'pipe'), 'pipe\tsource added\tno file');
    assert.equal(lineOf(installed, 'zero'), 'zero\tsource added\tno file');
    for (const path of [pipe, '/dev/zero', '/dev/stdin', '/dev/null']) {
      for (const args of [
        ['import', 'lockfile', path],
        ['import', 'changelog', path, '--org', 'Acme', '--name', 'Engine'],
        ['import', path],
        ['restore', path],
        ['restore', path, '--verify'],
      ]) {
        const { code, err } = await run(...args);
        assert.equal(code, 1, args.join(' '));
        assert.match(err, /regular file/, args.join(' '));
      }
    }
  });

  it('reads a bounded part of a file', async () => {
    await disk.package('project/node_modules/huge', { name: 'huge', repository: 'acme/huge' }, changelogOf('1.0.0'));
    // The files have holes, so that they take no room.
    await truncate(join(folder, 'node_modules/huge/CHANGELOG.md'), 2 ** 33);
    await disk.package('project/node_modules/heavy', { name: 'heavy' });
    await truncate(join(folder, 'node_modules/heavy/package.json'), 2 ** 33);
    await disk.write('project/package-lock.json', '{}');
    await truncate(join(folder, 'package-lock.json'), 2 ** 33);

    const result = await run('import', 'node_modules', folder);

    assert.equal(lineOf(result, 'huge'), 'huge\tsource added\tlarger than 10 MB');
    assert.equal(lineOf(result, 'heavy'), 'heavy\tskipped\tno file');
    const locked = await run('import', 'lockfile', join(folder, 'package-lock.json'));
    assert.match(locked.err, /is larger than any lockfile/);
  });

  it('names files and packages without control characters', async () => {
    await disk.package('project/node_modules/odd', { name: 'odd\u001b]0;owned\u0007' }, changelogOf('1.0.0'));

    const { out } = await run('import', 'node_modules', folder);

    assert.ok(!/\p{Cc}/u.test(out.join('').replaceAll('\t', '')));
  });
});
