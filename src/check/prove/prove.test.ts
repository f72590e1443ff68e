import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEEP_DECLARATIONS } from '../../domain/evidence/deep.fixture.ts';
import type { Finding } from '../../domain/evidence/finding.ts';
import { type PackageFiles, packageOf } from '../../domain/evidence/package-files.ts';
import { nameKey } from '../../domain/uses/use-of.ts';
import { checkNames } from './checked-names.ts';
import { newErrors } from './new-errors.ts';
import { ProjectHost } from './project-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'prove-'));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function packed(version: string, types: string): PackageFiles {
  const manifest = JSON.stringify({ name: 'pkg', version, types: 'index.d.ts' });
  return packageOf(
    new Map([
      ['package.json', manifest],
      ['index.d.ts', types],
    ]),
  ) as PackageFiles;
}

const OLD = packed(
  '1.0.0',
  'export interface Text { ip(): Text; min(n: number): Text }\nexport declare function text(): Text;',
);
const NEXT = packed('2.0.0', 'export interface Text { min(n: number): Text }\nexport declare function text(): Text;');
const FILES = [
  {
    path: 'src/a.ts',
    text: `import { text } from 'pkg';\ntext().min(1);\nexport const x = text().ip();\nexport const wrong: string = 1;\n`,
  },
  { path: 'src/b.ts', text: `const ip = { ip: () => 1 };\nexport default ip.ip();\n` },
];
const gone: Finding = {
  kind: 'member_removed',
  name: 'Text.ip',
  subpath: '.',
  certainty: 'proven',
  was: null,
  is: null,
  text: '',
};

function hostWith(files: PackageFiles, sources = FILES, root = join(folder, 'project')): ProjectHost {
  const host = new ProjectHost(root, sources);
  host.put({ files, dependencies: [] });
  return host;
}

describe('the proof of a project', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('what is nested too deeply is left out alone, and told', () => {
    const root = join(folder, 'deep');
    for (const [path, text] of Object.entries(DEEP_DECLARATIONS['a chain of exports'] ?? {})) {
      write(`deep/node_modules/chain/${path}`, text);
    }
    write('deep/node_modules/brackets/index.d.ts', DEEP_DECLARATIONS.brackets?.['index.d.ts'] ?? '');
    write('deep/node_modules/pkg/package.json', OLD.texts.get('package.json') ?? '');
    write('deep/node_modules/pkg/index.d.ts', OLD.texts.get('index.d.ts') ?? '');
    const more = "import { a } from 'chain';\nimport { a as b } from 'brackets';\nexport const c = [a.ip(), b];\n";
    const files = [...FILES, { path: 'src/c.ts', text: more }, { path: 'src/d.ts', text: '{'.repeat(1_000) }];
    const wanted = [{ package: 'pkg', names: ['pkg'], findings: [gone] }];
    const unread = ['brackets', 'chain', 'src/d.ts'];
    const plain = new ProjectHost(root, files);
    const found = checkNames(plain, files, wanted).get(nameKey('pkg', gone));
    // What a package that was left out hands over may be anything.
    assert.deepEqual([found?.isComplete, found?.places.map(({ file }) => file)], [false, ['src/a.ts']]);
    const hosts = [hostWith(OLD, files, root), hostWith(NEXT, files, root)] as const;
    const errors = newErrors(...hosts, files);
    assert.deepEqual(
      errors.map(({ file, line }) => `${file}:${line}`),
      ['src/a.ts:3'],
    );
    for (const host of [plain, ...hosts]) assert.deepEqual(host.leftOut(), unread);
  });

  it('errors that only the new version has are proof; those of both are not', () => {
    mkdirSync(join(folder, 'project'), { recursive: true });
    const errors = newErrors(hostWith(OLD), hostWith(NEXT), FILES);
    assert.deepEqual(
      errors.map(({ file, line, code }) => `${file}:${line} ${code}`),
      ['src/a.ts:3 TS2339'],
    );
    assert.deepEqual(newErrors(hostWith(OLD), hostWith(OLD), FILES), []);
  });

  it('members of returned values are found by their declarations, and the same word elsewhere is not', () => {
    const names = checkNames(hostWith(OLD), FILES, [{ package: 'pkg', names: ['pkg'], findings: [gone] }]);
    const found = names.get(nameKey('pkg', gone));
    assert.deepEqual(found?.places, [{ file: 'src/a.ts', line: 3, form: { how: 'called', given: 0 } }]);
  });

  it('an installed package is read, and nothing outside of the folder', () => {
    write('outside/tsconfig.json', '{"compilerOptions":{"strict":false}}');
    write('outside/secret/package.json', '{"name":"secret","version":"1.0.0","types":"index.d.ts"}');
    write('outside/secret/index.d.ts', 'export declare const secret: string;');
    write('project/node_modules/pkg/package.json', '{"name":"pkg","version":"1.0.0","types":"index.d.ts"}');
    write('project/node_modules/pkg/index.d.ts', 'export declare const a: number;');
    symlinkSync(join(folder, 'outside/secret'), join(folder, 'project/node_modules/secret'));
    const files = [
      {
        path: 'tsconfig.json',
        text: JSON.stringify({
          extends: '../outside/tsconfig.json',
          references: [{ path: '.' }],
          compilerOptions: { plugins: [{ name: 'x' }] },
        }),
      },
      {
        path: 'a.ts',
        text: `import { a } from 'pkg';\nimport { secret } from 'secret';\nexport const s: string = a;\nexport default secret;`,
      },
    ];
    const plain = new ProjectHost(join(folder, 'project'), files);
    const host = plain.compilerHost({});
    assert.equal(host.fileExists(join(plain.root, 'node_modules/pkg/index.d.ts')), true);
    assert.equal(host.fileExists(join(plain.root, 'node_modules/secret/index.d.ts')), false);
    assert.equal(host.readFile(join(folder, 'outside/tsconfig.json')), undefined);
    assert.equal(host.fileExists('/etc/passwd'), false);
    assert.deepEqual(
      newErrors(plain, hostWith(OLD, files), files).map(({ line }) => line),
      [1],
    );
  });

  it('types that a package no longer has are an error of the configuration', () => {
    const types = (version: string, files: Record<string, string>) =>
      packageOf(
        new Map(
          Object.entries({ 'package.json': JSON.stringify({ name: '@types/lamp', version, main: '' }), ...files }),
        ),
      ) as PackageFiles;
    const config = JSON.stringify({ compilerOptions: { types: ['lamp'], lib: ['es5'] } });
    const sources = [
      { path: 'tsconfig.json', text: config },
      { path: 'src/a.ts', text: 'export const a: number = 1;\n' },
    ];
    const before = types('1.0.0', { 'index.d.ts': 'declare const lamp: number;' });
    const errors = newErrors(hostWith(before, sources), hostWith(types('2.0.0', {}), sources), sources);
    assert.deepEqual(errors, [
      { file: 'tsconfig.json', line: 1, code: 'TS2688', message: "Cannot find type definition file for 'lamp'." },
    ]);
  });
});
