import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { buildPackage } from './build-package.ts';

const run = promisify(execFile);

// Two tasks with the same name, a thread entry, a command that is imported lazily, and an asset beside its module.
const SOURCES: Record<string, string> = {
  'main.ts': `export async function main(name: string): Promise<unknown> {
  if (name === 'lazy') return (await import('./cli/lazy.ts')).lazy();
  if (name === 'listen') return (await import('./cli/listen.ts')).listen();
  const { first, second, own } = await import('./tasks/start.ts');
  return name === 'own' ? own() : name === 'first' ? first() : second();
}`,
  'main.test.ts': 'not.built',
  'a.fixture.ts': 'not.built',
  'README.md': 'for readers',
  'cli/lazy.ts': `import { readFileSync } from 'node:fs';
import { helper } from 'helper';
import { packageFile } from '../package-file.ts';
  export function lazy(): string[] {
  const word = readFileSync(packageFile('words', 'data/one.txt'), 'utf8');
  return [readFileSync(new URL('./text.md', import.meta.url), 'utf8'), helper(), word, import.meta.url];
}`,
  'cli/listen.ts': `import http, { createServer } from 'node:http';
  export function listen(): unknown[] {
  const loaded = (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
  const hasFetch = loaded.some((name) => name.endsWith('deps/undici/undici'));
  return [createServer === http.createServer, typeof createServer().listen, hasFetch, typeof http.WebSocket];
}`,
  'cli/text.md': 'a text',
  'package-file.ts': 'export function packageFile(_: string, path: string): string { return path; }',
  'threads/beside-caller.ts': 'export const besideCaller = (url: string, name: string) => new URL(name + ".js", url);',
  'threads/load-module.ts': 'export function loadModule(): never { throw new Error("replaced"); }',
  'threads/task.ts':
    'export const threadTask = (module: string, run: () => string, name = run.name) => ({ module, name });',
  'threads/thread.ts': `import { parentPort } from 'node:worker_threads';
import { loadModule } from './load-module.ts';
parentPort?.once('message', async ({ module, name }: { module: string; name: string }) => {
  const exported = (await (loadModule as (url: string) => unknown)(module)) as Record<string, () => string>;
  parentPort?.postMessage(exported[name]?.());
});`,
  'tasks/one.ts': `import { threadTask } from '../threads/task.ts';
  export function work(): string { return 'one'; }
  export const ONE = threadTask(import.meta.url, work);`,
  'tasks/two.ts': `import { threadTask } from '../threads/task.ts';
  export function work(): string { return 'two'; }
  export const TWO = threadTask(import.meta.url, work);`,
  'tasks/own/thread.ts': `import { parentPort } from 'node:worker_threads';
parentPort?.once('message', () => parentPort?.postMessage('its own'));`,
  'tasks/start.ts': `import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { besideCaller } from '../threads/beside-caller.ts';
import { ONE } from './one.ts';
import { TWO } from './two.ts';
async function ask(url: URL, question: unknown): Promise<unknown> {
  const worker = new Worker(url);
  worker.postMessage(question);
  const [answer] = await once(worker, 'message');
  return answer;
}
const pool = new URL('../threads/thread.js', import.meta.url);
  export const first = () => ask(pool, ONE);
  export const second = () => ask(pool, TWO);
  export const own = () => ask(besideCaller(import.meta.url, 'own/thread'), null);`,
  'tasks/pool.ts': `import { besideCaller } from '../threads/beside-caller.ts';
  export const POOL = besideCaller(import.meta.url, '../threads/thread');`,
};

const START = `import { main } from './dist/main.js';
console.log(JSON.stringify(await main(process.argv[2])));
process.exit();`;

const PACKAGE: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'helper', version: '1.2.3', license: 'MIT', main: 'index.cjs' }),
  'index.cjs': "const { sep } = require('node:path');\nexports.helper = () => 'helped ' + sep;",
  'LICENSE.md': 'The licence of the helper.',
};

// A package of which one file is read as data.
const WORDS: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'words', version: '2.0.0', license: 'MIT' }),
  'data/one.txt': 'a word',
  'data/two.txt': 'not taken',
};

function write(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe('the packed program', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-build-')));
  const target = join(folder, 'dist');
  let files: string[];
  before(async () => {
    write(folder, {
      'package.json': '{ "type": "module" }',
      'start.js': START,
      'test/program.ts': "console.log('a program of the tests');",
    });
    write(join(folder, 'src'), SOURCES);
    write(join(folder, 'node_modules', 'helper'), PACKAGE);
    write(join(folder, 'node_modules', 'words'), WORDS);
    write(target, { 'old.js': '' });
    ({ files } = await buildPackage({ source: join(folder, 'src'), target, programs: ['test/program.ts'] }));
  });
  after(() => rmSync(folder, { recursive: true }));

  const reported = async (name: string) => {
    const { stdout } = await run(process.execPath, [join(folder, 'start.js'), name]);
    return JSON.parse(stdout);
  };

  it('holds chunks, the files where others look for a module, assets and licences, and nothing of an earlier build', () => {
    const written = readdirSync(target, { recursive: true, encoding: 'utf8', withFileTypes: true });
    const paths = written.flatMap((one) =>
      one.isFile() ? join(one.parentPath, one.name).slice(target.length + 1) : [],
    );
    assert.deepEqual(paths.sort(), [...files].sort());
    assert.deepEqual(paths.filter((path) => !path.startsWith('chunks/')).sort(), [
      'LICENSES.txt',
      'cli/text.md',
      'main.js',
      'package-files/words/data/one.txt',
      'tasks/own/thread.js',
      'test/program.js',
      'threads/thread.js',
    ]);
    assert.equal(
      readFileSync(join(target, 'LICENSES.txt'), 'utf8'),
      `helper 1.2.3 (MIT)\n\nThe licence of the helper.\n\n${'-'.repeat(80)}\n\nwords 2.0.0 (MIT)\n\n\n`,
    );
  });

  it('loads a command when it is run, which finds its files, its packages and its own address', async () => {
    const address = new URL(`file://${join(target, 'cli/lazy.js')}`).href;
    assert.deepEqual(await reported('lazy'), ['a text', 'helped /', 'a word', address]);
    const main = readFileSync(join(target, 'chunks/main.js'), 'utf8');
    assert.doesNotMatch(main, /text\.md/);
  });

  it('takes from node:http what it uses, and loads no fetch with it', async () => {
    assert.deepEqual(await reported('listen'), [true, 'function', false, 'function']);
  });

  it('does tasks on its threads, which find them by module and name', async () => {
    assert.deepEqual(
      [await reported('first'), await reported('second'), await reported('own')],
      ['one', 'two', 'its own'],
    );
  });

  it('is not built where a task or a thread is named in a form that the build cannot follow', async () => {
    for (const call of ['threadTask(address, work)', 'besideCaller(import.meta.url, name)', 'jsonReader(\n']) {
      const source = join(folder, 'unclear');
      write(source, { ...SOURCES, 'tasks/unclear.ts': `export const UNCLEAR = ${call};` });
      const building = buildPackage({ source, target: join(folder, 'unclear-dist') });
      await assert.rejects(building, { message: /^tasks\/unclear\.ts: / }, call);
    }
  });

  it('is not built where a file of a package is named by what only the program knows', async () => {
    const source = join(folder, 'unclear-file');
    const call =
      "import { packageFile } from './package-file.ts';\nexport const main = (name: string) => packageFile(name, 'a');";
    write(source, { ...SOURCES, 'main.ts': call });
    const building = buildPackage({ source, target: join(folder, 'unclear-dist') });
    await assert.rejects(building, { message: /^unclear-file\/main\.ts: .*packageFile\(/ });
  });

  it('brings other programs that use its code', async () => {
    const { stdout } = await run(process.execPath, [join(target, 'test/program.js')]);
    assert.equal(stdout, 'a program of the tests\n');
  });
});
