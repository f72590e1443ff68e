// Projects that want the compiler to read what is none of their business, or to never end.
import { strict as assert } from 'node:assert';
import fs, { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import ts from 'typescript-api';
import { packed } from '../../domain/archive/archive.fixture.ts';
import { type PackageFiles, packageOf } from '../../domain/evidence/package-files.ts';
import { TaskPool } from '../../threads/pool.ts';
import { TaskOutOfMemory, TaskTimeout, threadTask } from '../../threads/task.ts';
import { projectSources } from '../sources.ts';
import { proofOfProject } from './checker.ts';
import { newErrors } from './new-errors.ts';
import { programFiles } from './programs.ts';
import { ProjectHost } from './project-host.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-project-')));
const root = join(folder, 'project');
const outside = join(folder, 'outside');
const library = dirname(ts.getDefaultLibFilePath({}));

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

// The folders that were listed and the files that were read while something was done, by their real paths.
async function readPaths(work: () => unknown): Promise<string[]> {
  const seen: string[] = [];
  const { openSync, readFileSync, readdirSync } = fs;
  const noted = (original: (...args: never[]) => unknown) =>
    ((...args: never[]) => {
      seen.push(realpathSync(String(args[0])));
      return original(...args);
    }) as never;
  Object.assign(fs, {
    openSync: noted(openSync as never),
    readFileSync: noted(readFileSync as never),
    readdirSync: noted(readdirSync as never),
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { openSync, readFileSync, readdirSync });
    syncBuiltinESMExports();
  }
  return seen;
}

const PKG = packageOf(
  new Map([
    ['package.json', '{"name":"pkg","version":"2.0.0","types":"index.d.ts"}'],
    ['index.d.ts', 'export declare const a: number;'],
  ]),
) as PackageFiles;

describe('a hostile project', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has nothing read outside of its folder, whatever its tsconfig, its imports and its links name', async () => {
    write('outside/secret.ts', 'export const secret: string = "s3cret";');
    write('outside/tsconfig.json', { compilerOptions: { strict: false, types: ['leak'] } });
    write('outside/types/leak/index.d.ts', 'declare const leak: string;');
    write('outside/node_modules/leak/package.json', { name: 'leak', version: '1.0.0', types: 'index.d.ts' });
    write('outside/node_modules/leak/index.d.ts', 'export declare const leak: string;');
    write('outside/data.json', { secret: 's3cret' });
    write('project/tsconfig.json', {
      extends: ['../outside/tsconfig.json', `${outside}/tsconfig.json`, 'linked/tsconfig.json', './tsconfig.json'],
      references: [{ path: '../outside' }, { path: '/etc' }],
      files: ['../outside/secret.ts'],
      include: ['../outside/**/*', '/etc/*'],
      compilerOptions: {
        lib: ['es5'],
        baseUrl: outside,
        paths: { '*': ['./*', `${outside}/*`, '../outside/*'], open: ['./node_modules/leak', '/etc/passwd'] },
        rootDirs: ['.', '../outside'],
        typeRoots: ['../outside/types', `${outside}/node_modules`, './node_modules/linked/types'],
        types: ['leak', '../outside/types/leak', `${outside}/types/leak`],
        plugins: [{ name: '../outside/plugin.js', transform: `${outside}/plugin.js` }],
        tsBuildInfoFile: '../outside/written',
        outDir: '../outside/written',
      },
    });
    write('project/node_modules/pkg/package.json', { name: 'pkg', version: '1.0.0', types: 'index.d.ts' });
    write('project/node_modules/pkg/index.d.ts', 'export declare const a: number; export declare const b: number;');
    write(
      'project/src/a.ts',
      [
        `/// <reference path="${outside}/secret.ts" />`,
        '/// <reference path="../../outside/secret.ts" />',
        '/// <reference types="leak" />',
        '/// <reference path="/etc/passwd" />',
        `import { b } from 'pkg';`,
        `import { secret } from '../../outside/secret';`,
        `import { secret as again } from '${outside}/secret';`,
        `import { secret as third } from 'secret';`,
        `import { leak } from 'open';`,
        `import { leak as linked } from 'linked';`,
        `import { leak as deep } from 'pkg/../../../outside/node_modules/leak';`,
        `import data from '../../outside/data.json';`,
        `import { x } from './link';`,
        `export default [b, secret, again, third, leak, linked, deep, data, x];`,
      ].join('\n'),
    );
    symlinkSync(join(outside, 'node_modules/leak'), join(root, 'node_modules/linked'));
    symlinkSync(join(outside, 'secret.ts'), join(root, 'src/link.ts'));
    symlinkSync(outside, join(root, 'src/folder'));

    let errors: readonly { line: number; message: string }[] = [];
    const seen = await readPaths(async () => {
      const { files } = await projectSources(root, { env: process.env });
      assert.deepEqual(files.map(({ path }) => path).sort(), ['src/a.ts', 'tsconfig.json']);
      const [old, next] = [new ProjectHost(root, files), new ProjectHost(root, files)];
      next.put({ files: PKG, dependencies: [] });
      errors = newErrors(old, next, files);
    });
    assert.deepEqual(
      errors.map(({ line }) => line),
      [5],
      JSON.stringify(errors),
    );
    assert.ok(seen.some((path) => path.startsWith(`${root}/node_modules/pkg/`)));
    const strange = seen.filter((path) => !path.startsWith(`${root}/`) && path !== root && dirname(path) !== library);
    assert.deepEqual([...new Set(strange)], []);
    assert.equal(fs.existsSync(join(outside, 'written')), false);
  });

  it('gets no file through the folder of the library', () => {
    const host = new ProjectHost(root, []).compilerHost({});
    assert.notEqual(host.readFile(`${library}/lib.es5.d.ts`), undefined);
    for (const path of ['../package.json', 'typescript.js', 'lib.d.ts/../../package.json', 'tsc.js']) {
      assert.equal(host.readFile(`${library}/${path}`), undefined, path);
    }
  });

  it('is stopped when it needs too much time or memory, and says so', async () => {
    const archive = packed({
      'package.json': '{"name":"pkg","version":"2.0.0","types":"index.d.ts"}',
      'index.d.ts': 'export declare const a: number;',
    });
    // Each property is compared with each one of another type, again and again.
    const many = Array.from({ length: 40_000 }, (_, index) => `p${index}: { a: ${index}; b: string[] };`).join('\n');
    const text = `import { a } from 'pkg';\ninterface A {\n${many}\n}\ninterface B {\n${many}\n}\nexport const b = (x: A): B => x;\nexport default a;`;
    const question = {
      root,
      files: [{ path: 'src/many.ts', text }],
      old: null,
      next: { ecosystem: 'npm' as const, archive, dependencies: [], types: null },
    };
    const task = threadTask(new URL('./checker.ts', import.meta.url).href, proofOfProject);
    const limited = async (limits: { limitMs: number; memoryMb?: number }) => {
      const pool = new TaskPool({ name: 'checker', maxQueued: 1, ...limits });
      try {
        return await pool.run(task, question);
      } finally {
        await pool.close();
      }
    };
    await assert.rejects(limited({ limitMs: 60_000, memoryMb: 48 }), TaskOutOfMemory);
    await assert.rejects(limited({ limitMs: 100 }), TaskTimeout);
  });

  it('with too many programs is told how many files were left out', () => {
    const files = Array.from({ length: 60 }, (_, index) => [
      { path: `p${index}/tsconfig.json`, text: '{}' },
      { path: `p${index}/a.ts`, text: '' },
      { path: `p${index}/b.ts`, text: '' },
    ]).flat();
    const { groups, leftOut } = programFiles(files);
    assert.deepEqual([groups.length, leftOut], [40, 40]);
  });
});
