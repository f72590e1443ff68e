import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fitsPart, parseIgnoreRules, ruledOut } from './ignore-rules.ts';
import { missingTargets, packedPaths } from './packed-files.ts';

const RULES: [string, string, boolean, boolean | null][] = [
  ['*.log', 'deep/down/a.log', false, true],
  ['/build', 'build', true, true],
  ['/build', 'src/build', true, null],
  ['src/**/*.test.ts', 'src/a/b/c.test.ts', false, true],
  ['src/**/*.test.ts', 'src/c.test.ts', false, true],
  ['docs/', 'docs', false, null],
  ['docs/', 'a/docs', true, true],
  ['*.md\n!README.md', 'README.md', false, false],
  ['# a remark\n\n?.js', 'a.js', false, true],
];

for (const [text, path, isFolder, expected] of RULES) {
  it(`the list ${JSON.stringify(text)} and ${path}`, () =>
    assert.equal(ruledOut(parseIgnoreRules(text), path, isFolder), expected));
}

it('a hostile pattern is tried in time that grows with name and pattern', () => {
  assert.equal(fitsPart('a'.repeat(5000), `${'*a'.repeat(200)}b`), false);
});

describe('the files that would be packed', () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'registry-packed-')));
    const files = {
      'package.json': '{}',
      'README.md': '',
      'src/a.ts': '',
      'dist/a.js': '',
      'dist/a.d.ts': '',
      'dist/a.js.map': '',
      'dist/.npmignore': '*.map',
      'bin/run.js': '',
      'test/a.test.js': '',
      '.gitignore': 'dist\n',
      'node_modules/other/index.js': '',
      '.npmrc': 'secret',
      'package-lock.json': '{}',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await symlink('/etc/passwd', join(folder, 'src', 'link.ts'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const packed = (manifest: Record<string, unknown>) => packedPaths(folder, manifest, folder);

  it('are those that the manifest lists, with what npm always takes', () => {
    const listed = packed({ files: ['dist'], bin: { run: './bin/run.js' } });
    assert.deepEqual(listed, ['README.md', 'bin/run.js', 'dist/a.d.ts', 'dist/a.js', 'package.json']);
    assert.deepEqual(packed({ files: ['dist/**/*.js', '!dist/a.js'] }), ['README.md', 'package.json']);
  });

  it('are all but the ignored ones without a list', () => {
    assert.deepEqual(packed({}), ['README.md', 'bin/run.js', 'package.json', 'src/a.ts', 'test/a.test.js']);
  });

  it('are not whole while the manifest leads to files that are not there', () => {
    const manifest = {
      main: './dist/b',
      types: 'dist/b.d.ts',
      exports: { '.': { import: './dist/a.js' }, './*': './x/*' },
    };
    assert.deepEqual(missingTargets(manifest, ['dist/a.js', 'dist/b.js']), ['dist/b.d.ts']);
  });
});
