// A new source type is an entry among the source types and a folder of adapters. The compiler reads a copy of the
// sources with the entry alone; the program runs with both.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { SOURCE_TYPES } from '../../../src/domain/source-types.ts';
import { COMPILER, COMPILER_ARGS, COMPILER_ENV } from '../../support/compiler.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { demandingFiles, type SourceFile } from './demanding-files.ts';
import { edited, TYPES_FILE } from './edits.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

// A file that repeats the list of types, and another one that relies on it: the compiler has to find this too.
const REPEATED: readonly SourceFile[] = [
  {
    path: 'src/repeated/names.ts',
    text: `export type Name = ${SOURCE_TYPES.map((type) => `'${type}'`).join(' | ')};\n`,
  },
  {
    path: 'src/repeated/relies.ts',
    text: [
      "import type { SourceType } from '../domain/source-types.ts';",
      "import type { Name } from './names.ts';",
      'export const nameOf = (type: SourceType): Name => type;',
    ].join('\n'),
  },
];

it('the compiler demands the folder of a made-up source type, and nothing else', async (t) => {
  const copy = await scratchFolder('made-up-type-');
  t.after(() => rm(copy, { recursive: true, force: true }));
  await writeSources(copy, [...(await sourceFiles()), ...REPEATED]);

  const demanded = await compilerErrors(copy);

  assert.equal(demanded.length, 2, demanded.join('\n'));
  assert.match(demanded[0] ?? '', /^src\/ingest\/adapters\/index\.ts.*'gopher' is missing/);
  assert.match(demanded[1] ?? '', /^src\/repeated\/relies\.ts.*"gopher".* is not assignable/);
});

it('a made-up source type needs its folder and its entries to do all that a source type does', async () => {
  const [hooks, proof] = ['with-gopher.ts', 'proof.ts'].map((name) => join(import.meta.dirname, name));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await run(process.execPath, ['--import', hooks ?? '', proof ?? ''], { cwd: ROOT, env });
});

async function sourceFiles(): Promise<SourceFile[]> {
  // Files that only tests use lead out of the copy.
  const paths = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/\.test\.ts$|\.fixture\.ts$|\/test-support\.ts$/.test(path),
  );
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
}

// The sources with the entry. Those that the compiler need not check are still read for their exports.
async function writeSources(copy: string, files: readonly SourceFile[]): Promise<void> {
  const others = files.filter(({ path }) => path !== TYPES_FILE);
  const checked = demandingFiles(others, SOURCE_TYPES).add(TYPES_FILE);
  for (const { path, text } of files) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    const written = path === TYPES_FILE ? edited(path, text) : text;
    await writeFile(join(copy, path), checked.has(path) ? written : `// @ts-nocheck\n${written}`);
  }
  await cp(join(ROOT, 'package.json'), join(copy, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...checked] }));
}

async function compilerErrors(copy: string): Promise<string[]> {
  const args = [...COMPILER_ARGS, '--pretty', 'false'];
  const started = run(COMPILER, args, { cwd: copy, env: { ...process.env, ...COMPILER_ENV } });
  const { stdout } = await started.catch((failure: { stdout: string }) => failure);
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
