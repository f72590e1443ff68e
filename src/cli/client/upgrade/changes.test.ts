import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { manifestsBeside } from '../../../check/project/manifests.ts';
import { lockfileChanges, manifestChanges } from './changes.ts';

const root = mkdtempSync(join(tmpdir(), 'registry-changes-'));

function file(name: string, content: string | object): string {
  const path = join(root, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const lock = (packages: Record<string, string>) => ({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { a: '*', b: '*' } },
    ...Object.fromEntries(Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }])),
  },
});

const shown = ({ changes }: ReturnType<typeof lockfileChanges>) =>
  changes.map(({ name, from, to, direct }) => [name, from, to, direct]);

describe('what a lockfile change moves', () => {
  it('moved, added and removed packages, direct ones first; the format is known by the text, too', () => {
    const before = file('base.json', lock({ a: '1.0.0', deep: '1.0.0', gone: '1.0.0', same: '1.0.0' }));
    const after = file('package-lock.json', lock({ a: '2.0.0', b: '1.0.0', deep: '1.1.0', same: '1.0.0' }));

    assert.deepEqual(shown(lockfileChanges(before, after)), [
      ['a', '1.0.0', '2.0.0', true],
      ['b', null, '1.0.0', true],
      ['deep', '1.0.0', '1.1.0', false],
      ['gone', '1.0.0', null, false],
    ]);
  });

  it('an empty old file stands for none', () => {
    assert.deepEqual(shown(lockfileChanges(file('none', ''), file('requirements.txt', 'flask==1.0\n'))), [
      ['flask', null, '1.0', true],
    ]);
  });

  it('a yarn.lock with the manifests of its workspaces, which tell what is direct and what is for development', () => {
    for (const [state, version] of [
      ['was', '1.0.0'],
      ['is', '2.0.0'],
    ]) {
      file(`${state}/package.json`, { workspaces: { packages: ['packages/*'] }, dependencies: { a: version } });
      file(`${state}/packages/tool/package.json`, {
        devDependencies: { b: version },
        dependencies: { c: 'link:../../c' },
      });
      file(`${state}/c/package.json`, { version });
      const entry = (name: string, more = '') => `${name}@${version}:\n  version "${version}"\n${more}\n`;
      const link = '"c@link:c":\n  version "0.0.0"\n';
      file(
        `${state}/yarn.lock`,
        `# yarn lockfile v1\n\n${entry('a')}${entry('b', `  dependencies:\n    d "${version}"\n`)}${link}\n${entry('d')}`,
      );
    }
    const { changes } = lockfileChanges(join(root, 'was/yarn.lock'), join(root, 'is/yarn.lock'));

    assert.deepEqual(
      changes.map(({ name, from, to, direct, dev, source }) => [name, from, to, direct, dev, source]),
      [
        ['a', '1.0.0', '2.0.0', true, false, 'registry'],
        ['b', '1.0.0', '2.0.0', true, true, 'registry'],
        ['c', '1.0.0', '2.0.0', true, false, 'link'],
        ['d', '1.0.0', '2.0.0', false, true, 'registry'],
      ],
    );
  });

  it('manifests outside of the project and links are not read', () => {
    file('outside/package.json', { version: '6.6.6' });
    file('inside/package.json', { workspaces: ['../outside', '/etc', '!x'], dependencies: { o: 'file:../outside' } });
    symlinkSync(join(root, 'outside'), join(root, 'inside/linked'));
    file('inside2/package.json', { workspaces: ['*'] });

    assert.deepEqual(
      manifestsBeside(join(root, 'inside/yarn.lock')).map(({ path }) => path),
      ['package.json'],
    );
    assert.deepEqual(manifestsBeside(join(root, 'nowhere/yarn.lock')), []);
  });

  it('what cannot be read is said with the name of the file', () => {
    const good = file('good/package-lock.json', lock({ a: '1.0.0' }));
    assert.throws(() => lockfileChanges(join(root, 'missing.json'), good), /missing\.json cannot be read/);
    assert.throws(() => lockfileChanges(good, file('x.lock', 'hello')), /x\.lock is none of the files/);
    assert.throws(() => lockfileChanges(good, file('empty.lock', '')), /empty\.lock is none of the files/);
  });
});

describe('what the newest versions would move in a manifest', () => {
  after(() => rmSync(root, { recursive: true }));
  const manifest = { dependencies: { a: '^1.0.0', b: '~2.1.0' } };

  it('from the version in the lockfile beside it, else from the lowest of the range', () => {
    file('project/package-lock.json', lock({ a: '1.4.2' }));

    assert.deepEqual(shown(manifestChanges(file('project/package.json', manifest))), [
      ['a', '1.4.2', 'latest', true],
      ['b', '2.1.0', 'latest', true],
    ]);
    assert.deepEqual(shown(manifestChanges(file('alone/package.json', manifest))), [
      ['a', '1.0.0', 'latest', true],
      ['b', '2.1.0', 'latest', true],
    ]);
  });
});
