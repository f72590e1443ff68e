import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startOutsideWorld } from '../../test/support/outside-world.ts';
import { serveNpm } from '../../test/support/package-documents.ts';
import { changelogOf, type Disk, openDisk } from '../ingest/local-import/disk.fixture.ts';
import { runCommand } from '../main.ts';

let disk: Disk;

function run(...args: string[]) {
  return runWith({}, ...args);
}

async function runWith(more: Record<string, string>, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const env = { REGISTRY_DATA_DIR: join(disk.root, 'data'), REGISTRY_LOG_LEVEL: 'silent', ...more };
  const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const code = await runCommand({ args: ['import', ...args], env }, terminal);
  return { code, out, err };
}

describe('registry import', () => {
  beforeEach(async () => {
    disk = await openDisk();
  });
  afterEach(() => disk.remove());

  it('0: node_modules, with one line a package', async () => {
    await disk.package(
      'node_modules/engine',
      { name: 'engine', version: '1.1.0', repository: 'acme/engine' },
      changelogOf('1.1.0', '1.0.0'),
    );
    await disk.package('node_modules/tool', { name: 'tool' });

    const first = await run('node_modules', disk.root);
    const again = await run('node_modules', disk.root, '--json');

    assert.deepEqual([first.code, first.err], [0, []]);
    assert.deepEqual(first.out, [
      'engine\tfound 2\tjoined 0\tinserted 2\tupdated 0',
      'tool\tskipped\tno file',
      'total\t2 packages, 1 with releases (found 2, joined 0, inserted 2, updated 0), 0 with a repository but no changelog, 1 skipped, 1 sources added',
      'next: run the same command with --track, so that the registry learns what came after the installed versions',
      'next: start `registry serve` and ask what an upgrade changes: registry whats-changed engine 1.1.0 latest --ecosystem npm',
    ]);
    const outside = { before: 0, unreleased: 0, groups: 0, after: 0, unread: 0 };
    const { packages, totals, notInstalled } = JSON.parse(again.out.join(''));
    assert.deepEqual(packages, [
      { name: 'engine', found: 2, joined: 0, inserted: 0, updated: 0, outside, skipped: null, source: 'known' },
      { name: 'tool', found: 0, joined: 0, inserted: 0, updated: 0, outside, skipped: 'no file', source: null },
    ]);
    assert.deepEqual([totals.packages, totals.sourcesAdded, notInstalled], [2, 0, []]);
  });

  it('0: what of a file stands in no release, of each package and in all', async () => {
    const engine = { name: 'engine', version: '1.0.0', repository: 'acme/engine' };
    await disk.package(
      'node_modules/engine',
      engine,
      `Notes.\n\n## Unreleased\n\n- Soon\n\n${changelogOf('1.0.0').replace('# Changelog', '')}`,
    );
    await disk.package('node_modules/site', { name: 'site', repository: 'acme/site' }, 'See the site.\n');

    const { out } = await run('node_modules', disk.root);
    const again = await run('node_modules', disk.root, '--json');

    assert.deepEqual(out.slice(0, 2), [
      'engine\tfound 1\tjoined 0\tinserted 1\tupdated 0\t12 characters outside of releases',
      'site\tsource added\tno version heading\t13 characters outside of releases',
    ]);
    assert.match(out[2] ?? '', /, 2 sources added, 25 characters outside of releases$/);
    const { packages, totals } = JSON.parse(again.out.join(''));
    assert.deepEqual(
      packages.map((line: { outside: object }) => line.outside),
      [
        { before: 6, unreleased: 6, groups: 0, after: 0, unread: 0 },
        { before: 0, unreleased: 0, groups: 0, after: 0, unread: 13 },
      ],
    );
    assert.deepEqual(totals.outside, { before: 6, unreleased: 6, groups: 0, after: 0, unread: 13 });
  });

  it('0: a lockfile to be tracked: the registry says where packages come from that are not installed', async (t) => {
    const world = await startOutsideWorld();
    t.after(() => world.close());
    serveNpm(world, { name: 'engine', versions: { '1.0.0': '2026-01-01' } });
    serveNpm(world, { name: '@acme/lamp', versions: { '1.0.0': '2026-01-01' }, repository: '' });
    const names = ['engine', '@acme/lamp', 'nobody'];
    const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]));
    await disk.write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    const asked = { REGISTRY_NPM_URL: world.url, REGISTRY_EGRESS_ALLOW: '127.0.0.1', REGISTRY_HOST_DELAY_MS: '0' };
    const file = join(disk.root, 'package-lock.json');
    const first = await runWith(asked, 'lockfile', file, '--track');
    assert.deepEqual(
      [first.code, first.out.slice(0, 3)],
      [
        0,
        [
          '@acme/lamp\tsource added\tnot installed: the notes inside of the package are read',
          'engine\tsource added\tnot installed: its repository is read',
          'nobody\tskipped\tnot installed, and not in its registry',
        ],
      ],
    );
    const again = await runWith(asked, 'lockfile', file, '--track');
    assert.match(again.out.join('\n'), /lamp\tsource known.*\nengine\tsource known/);
  });

  it('0: a lockfile, with what is not installed and what to do about it', async () => {
    await disk.package('node_modules/engine', { name: 'engine', repository: 'acme/engine' });
    await disk.write(
      'yarn.lock',
      '# yarn lockfile v1\n\nengine@^1:\n  version "1.1.0"\n\ngone@^1:\n  version "1.0.0"\n',
    );

    const { code, out } = await run('lockfile', join(disk.root, 'yarn.lock'));

    assert.equal(code, 0);
    assert.deepEqual(out.slice(0, 2), ['engine\tsource added\tno file', 'gone\tskipped\tnot installed']);
    assert.match(out[2] ?? '', /^total\t2 packages, .*1 not installed, 1 sources added$/);
    assert.match(out[3] ?? '', /^next: install what is missing.* or give --track/);
    assert.match(out[4] ?? '', /^next: run the same command with --track/);
  });

  it('1: a file that is no lockfile of npm packages', async () => {
    await disk.write('notes.txt', 'nothing here');

    const { code, err } = await run('lockfile', join(disk.root, 'notes.txt'));

    assert.equal(code, 1);
    assert.match(err.join(), /names no npm package; give a package-lock\.json/);
  });

  it('0: a plain changelog with --org and --name', async () => {
    await disk.write('CHANGELOG.md', changelogOf('1.0.0'));

    const { code, out } = await run('changelog', join(disk.root, 'CHANGELOG.md'), '--org', 'Acme', '--name', 'Engine');

    assert.deepEqual([code, out[0]], [0, 'Engine\tfound 1\tjoined 0\tinserted 1\tupdated 0']);
  });

  it('1: nothing was found in what is there', async () => {
    await disk.package('node_modules/tool', { name: 'tool' });

    assert.equal((await run('node_modules', disk.root)).code, 1);
  });

  it('1: the path is not there, or holds nothing', async () => {
    const path = join(disk.root, 'missing');

    assert.deepEqual(await run('changelog', path), {
      code: 1,
      out: [],
      err: [`registry: ${path} is not there or cannot be read`],
    });
    assert.equal((await run('changelog', disk.root)).code, 1);
  });

  it('2: a plain changelog without names, and a call of another form', async () => {
    await disk.write('CHANGELOG.md', changelogOf('1.0.0'));

    const unnamed = await run('changelog', join(disk.root, 'CHANGELOG.md'));

    assert.equal(unnamed.code, 2);
    assert.match(unnamed.err.join(), /give --org and --name$/);
    for (const args of [[], ['changelog'], ['elsewhere', disk.root], ['changelog', 'a', 'b']]) {
      assert.equal((await run(...args)).code, 2, args.join(' '));
    }
  });

  it('shows no control characters of a package name', async () => {
    await disk.package('node_modules/odd', { name: 'odd\u001b[31m\tname' });

    assert.equal((await run('node_modules', disk.root)).out[0], 'odd [31m name\tskipped\tno file');
  });
});
