// A new source type is an entry among the source types and a folder of adapters. The compiler reads a copy of the sources
// with the entry alone; the program runs with both.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { scratchFolder } from '../../support/scratch.ts';
import { edited, TYPES_FILE } from './edits.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

it('the compiler demands the folder of a made-up source type, and nothing else', async (t) => {
  const copy = await copyOfSources(t);
  const file = join(copy, TYPES_FILE);
  await writeFile(file, edited(TYPES_FILE, await readFile(file, 'utf8')));

  const demanded = await compilerErrors(copy);

  assert.equal(demanded.length, 1, demanded.join('\n'));
  assert.match(demanded[0] ?? '', /^src\/ingest\/adapters\/index\.ts.*'gopher' is missing/);
});

it('a made-up source type needs its folder and its entries to do all that a source type does', async () => {
  const [hooks, proof] = ['with-gopher.ts', 'proof.ts'].map((name) => join(import.meta.dirname, name));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await run(process.execPath, ['--import', hooks ?? '', proof ?? ''], { cwd: ROOT, env });
});

async function copyOfSources(t: { after(cleanup: () => Promise<void>): void }): Promise<string> {
  const path = await scratchFolder('made-up-type-');
  t.after(() => rm(path, { recursive: true, force: true }));
  // What tests alone use leads out of the copy.
  const isCompiled = (file: string) => !/\.test\.ts$|\.fixture\.ts$|\/test-support\.ts$/.test(file);
  await cp(join(ROOT, 'src'), join(path, 'src'), { recursive: true, filter: isCompiled });
  await cp(join(ROOT, 'package.json'), join(path, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  const config = { compilerOptions, include: ['src'] };
  await writeFile(join(path, 'tsconfig.json'), JSON.stringify(config));
  return path;
}

// What the compiler found out about the last copy: it looks again at what has changed since.
const LAST_TIME = join(ROOT, 'node_modules/.cache/release-registry/made-up-type.tsbuildinfo');

async function compilerErrors(copy: string): Promise<string[]> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const found = join(copy, 'found.tsbuildinfo');
  await cp(LAST_TIME, found).catch(() => {});
  // On several threads it does half as much again in all, at the cost of what runs beside it.
  const args = ['--noEmit', '--pretty', 'false', '--singleThreaded', '--incremental', '--tsBuildInfoFile', found];
  const { stdout } = await run(compiler, args, { cwd: copy }).catch((failure: { stdout: string }) => failure);
  await mkdir(dirname(LAST_TIME), { recursive: true });
  await cp(found, LAST_TIME);
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
