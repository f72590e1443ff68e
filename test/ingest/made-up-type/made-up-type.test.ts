// A new source type is an entry among the source types and a folder of adapters. Proven on a copy of the program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { scratchFolder } from '../../support/scratch.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

it('a made-up source type needs its folder and its entries, which the compiler demands, and nothing else', async (t) => {
  const copy = await copyOfProgram(t);
  await edit(join(copy, 'src/domain/source-types.ts'), 'const TYPES = {', (line) => {
    return `${line}\n  gopher: sourceType({ hasVersionSteps: false }),`;
  });

  const demanded = await compilerErrors(copy);
  await mkdir(join(copy, 'src/ingest/adapters/gopher'));
  const descriptor = await readFile(join(copy, 'test/ingest/made-up-type/gopher.ts'), 'utf8');
  await writeFile(
    join(copy, 'src/ingest/adapters/gopher/index.ts'),
    descriptor.replaceAll('../../../src/ingest/adapters/', '../'),
  );
  await edit(join(copy, 'src/ingest/adapters/index.ts'), '  github,\n', (line) => `${line}  gopher,\n`);
  await edit(join(copy, 'src/ingest/adapters/index.ts'), 'import { scrape }', (line) => {
    return `import { gopher } from './gopher/index.ts';\n${line}`;
  });

  assert.equal(demanded.length, 1, demanded.join('\n'));
  assert.match(demanded[0] ?? '', /^src\/ingest\/adapters\/index\.ts.*'gopher' is missing/);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await run(process.execPath, ['--test', 'test/ingest/made-up-type/proof.ts'], { cwd: copy, env });
});

async function copyOfProgram(t: { after(cleanup: () => Promise<void>): void }): Promise<string> {
  const path = await scratchFolder('made-up-type-');
  t.after(() => rm(path, { recursive: true, force: true }));
  for (const part of ['src', 'test/support', 'test/ingest/made-up-type', 'package.json']) {
    const isKept = (file: string) => !file.endsWith('.test.ts');
    await cp(join(ROOT, part), join(path, part), { recursive: true, filter: isKept });
  }
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  const config = { compilerOptions, include: ['src'], exclude: ['src/**/*.fixture.ts'] };
  await writeFile(join(path, 'tsconfig.json'), JSON.stringify(config));
  return path;
}

async function edit(file: string, line: string, change: (line: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(line), `${file} has no ${line}`);
  await writeFile(file, text.replace(line, change(line)));
}

async function compilerErrors(copy: string): Promise<string[]> {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run(compiler, ['--noEmit', '--pretty', 'false'], { cwd: copy }).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
