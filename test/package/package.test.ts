// The packed package: its content, that it runs without the repository, and that the commands in the documentation
// work.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openNative } from '../../src/search/vectors/minilm/engine.ts';
import { bytesBelow, type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { sharedModelFolder } from '../support/model.ts';
import { signUpAsPerson, startAsNewUser, startReceiver, writeProject } from './new-user.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const MEGABYTE = 1024 * 1024;

// Blocks that no test can run unchanged, by their first line.
const NOT_RUN: Record<string, string> = {
  'npm ci && npm start     # the registry of its own packages on http://localhost:8080':
    'begins with a download, and ends with the test run that this test is part of',
};

// The tools or services that a block must need to be left out.
const NEEDS_MORE =
  /\b(?:curl|docker|systemctl|openssl)\b|npm install |^\$ registry (?:compare|check|stack|lint|publish|admin|import advisories) ?|^registry serve$|^REGISTRY_\w+=\S+$/m;

interface Block {
  page: string;
  language: string;
  text: string;
}

function blocksOf(page: string): Block[] {
  const found = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = '', text = '']) => ({ page, language, text }));
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function ended(program: string, args: string[], options: { cwd: string; env: Record<string, string> }): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

// The tasks that a thread of the packed program does not find. It reports when it starts one; the result does not
// matter.
async function notFound(script: string, tasks: { module: string; name: string | undefined }[]): Promise<unknown[]> {
  const worker = new Worker(script);
  const missing: unknown[] = [];
  for (const task of tasks) {
    worker.postMessage({ ...task, input: undefined, id: 1 });
    const [first] = await once(worker, 'message');
    if ('notice' in first) await once(worker, 'message');
    else missing.push([task, first]);
  }
  await worker.terminate();
  return missing;
}

describe('the packed package', () => {
  let installed: InstalledPackage;
  let env: Record<string, string>;

  before(async () => {
    installed = await installPackage();
    const { path, work } = installed;
    // Compiled code is cached in the folder for temporary files, which goes when the package goes.
    env = { PATH: path, HOME: work, TMPDIR: work, REGISTRY_LOG_LEVEL: 'silent', REGISTRY_EMBEDDER: 'off' };
  });
  after(() => installed.remove());

  it('holds the program as JavaScript with its files, and nothing of tests and tools; it is small', () => {
    const { files, packedBytes } = installed;
    const has = (path: string) => assert.ok(files.includes(path), path);
    for (const path of ['bin/registry.mjs', 'dist/main.js', 'dist/threads/thread.js', 'docs/operations.md']) has(path);
    for (const path of ['deploy/nginx.conf', 'dist/web/assets/style/10-base.css', 'README.md', 'LICENSE']) has(path);
    assert.deepEqual(
      files.filter((path) =>
        /^(?!node_modules\/).*(?:\.ts$|\.test\.|\.fixture\.)|^(?:src|test|tools|bench)\//.test(path),
      ),
      [],
    );
    assert.ok(packedBytes < 48 * MEGABYTE, `${packedBytes} bytes`);
    const licences = readFileSync(join(installed.home, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['zod', 'better-auth', 'kysely'])
      assert.match(licences, new RegExp(`^${name} \\d\\S+ \\(MIT\\)$`, 'm'));
    const { private: isPrivate, engines } = JSON.parse(readFileSync(join(installed.home, 'package.json'), 'utf8'));
    assert.deepEqual([isPrivate, engines.node], [undefined, '>=24']);
  });

  it('is installed with two more packages and what they need, and takes at most 115 MB with them', () => {
    const { home, beside } = installed;
    const names = beside.map((folder) => basename(folder)).filter((name) => !name.startsWith('resvg-js-'));
    assert.deepEqual(names.sort(), [
      ...['bindings', 'file-uri-to-path', 'node-addon-api', 'node-gyp-build', 'resvg-js', 'usearch'].sort(),
    ]);
    const total = [home, ...beside].reduce((sum, folder) => sum + bytesBelow(folder), 0);
    assert.ok(total <= 115e6, `${total} bytes`);
    // Packed for all platforms it comes with the engine as it is published.
    const engines = ['onnxruntime-node', 'onnxruntime-common'].map((name) =>
      bytesBelow(join(ROOT, 'node_modules', name)),
    );
    assert.ok(engines.reduce((sum, one) => sum + one, total) <= 215e6);
    const platforms = globSync('node_modules/onnxruntime-node/bin/napi-v3/*/*', { cwd: home });
    assert.deepEqual(
      platforms.map((path) => path.split(/[\\/]/).slice(-2)),
      [[process.platform, process.arch]],
    );
  });

  it('embeds as the sources do, with a model that it brings', async () => {
    const modelFolder = join(installed.work, 'models');
    const thread = join(installed.home, 'dist/search/vectors/minilm/thread.js');
    const worker = new Worker(thread, { workerData: { modelFolder, background: false } });
    const said: { notice?: { engine: string; reason: string | null }; answer?: Float32Array }[] = [];
    worker.postMessage({ id: 1, text: 'a passkey to sign in with' });
    while (said.length < 2) said.push((await once(worker, 'message'))[0]);
    await worker.terminate();

    assert.deepEqual(said.find(({ notice }) => notice)?.notice, { engine: 'native', reason: null });
    const { embed } = await openNative(sharedModelFolder());
    assert.deepEqual(said.find(({ answer }) => answer)?.answer, await embed('a passkey to sign in with'));
    assert.equal(existsSync(modelFolder), false);
  });

  it('brings what the sample tells of packages that are not installed with it', async () => {
    const folder = join(installed.home, 'dist/sample/packages');
    const names = readdirSync(folder);
    assert.ok(names.length > 70, `${names.length}`);
    assert.deepEqual(readdirSync(join(folder, 'nodemailer')).sort(), ['CHANGELOG.md', 'package.json']);
  });

  it('runs where nothing but the package is', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const reported = await ended('registry', ['--version'], { cwd: installed.work, env });
    assert.deepEqual(reported, { code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('is in few files, where threads find every module that the sources reach by an address', async () => {
    const { files, home } = installed;
    assert.ok(files.filter((path) => path.startsWith('dist/') && path.endsWith('.js')).length < 700);
    const sources = globSync('**/*.ts', { cwd: join(ROOT, 'src') })
      .filter((path) => !/\.(?:test|fixture)\.ts$/.test(path))
      .map((path) => ({ path, text: readFileSync(join(ROOT, 'src', path), 'utf8').replace(/^\s*\/\/.*$/gm, '') }));
    const findAll = (pattern: RegExp) =>
      sources.flatMap(({ path, text }) =>
        [...text.matchAll(pattern)].map(([all, ...groups]) => ({ path, all, groups })),
      );
    // The build follows only an import with a literal path.
    const unnamed = findAll(/(?<!typeof )\bimport\((?!['"])/g).map(({ path }) => path);
    assert.deepEqual(unnamed, ['threads/load-module.ts']);
    const threads = findAll(/\bbesideCaller\(import\.meta\.url, '(.+?)'\)/g);
    assert.ok(threads.length > 4);
    for (const { path, groups } of threads) {
      const entry = join('dist', dirname(path), `${groups[0]}.js`);
      assert.ok(files.includes(entry), entry);
    }
    assert.deepEqual(
      findAll(/\bnew Worker\(/g).map(({ path }) => path),
      ['threads/start.ts'],
    );
    const started = findAll(/\b(?:new ThreadCalls|startThread)\((?:name|'\w+'), ([^,]+)/g);
    const withScripts = started.filter(({ groups }) => groups[0] !== 'script');
    assert.ok(withScripts.length > 4);
    for (const { path, groups } of withScripts) {
      const { text = '' } = sources.find((one) => one.path === path) ?? {};
      if (groups[0] === 'SCRIPT') assert.match(text, /^const SCRIPT = besideCaller\(import\.meta\.url, '/m, path);
      else assert.match(String(groups[0]), /^besideCaller\(import/, path);
    }
    const tasks = findAll(/\b(?:threadTask|jsonReader)\(import\.meta\.url, (\w+)\)/g);
    assert.ok(tasks.length > 40);
    const root = pathToFileURL(join(home, 'dist/')).href;
    const requested = tasks.map(({ path, groups }) => ({
      module: `${root}${path.replace(/\.ts$/, '.js')}`,
      name: groups[0],
    }));
    assert.deepEqual(await notFound(join(home, 'dist/threads/thread.js'), requested), []);
  });

  it('says plainly that an older Node is too old, and can be read by it', async () => {
    const older = join(installed.work, 'older.cjs');
    await writeFile(
      older,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
    );
    const reported = await ended('node', ['--require', older, join(installed.home, 'bin/registry.mjs'), 'serve'], {
      cwd: installed.work,
      env,
    });
    assert.deepEqual([reported.code, reported.stdout], [1, '']);
    assert.equal(
      reported.stderr,
      'registry: Node 24 or newer is needed, this is 18.20.4.\nInstall it from https://nodejs.org.\n',
    );
    const code = readFileSync(join(installed.home, 'bin/registry.mjs'), 'utf8').replace(/^\s*(?:\/\/|#!).*$/gm, '');
    assert.doesNotMatch(
      code,
      /\?\.|\?\?|^await |&&=|\|\|=|#\w+ ?[=(]|\bstatic\b/m,
      'syntax that older ones do not know',
    );
  });

  it('marks every shell block of the documents honestly', () => {
    const blocks = PAGES.flatMap(blocksOf);
    assert.ok(blocks.filter(({ language }) => language === 'sh').length > 3);
    for (const { page, language, text } of blocks) {
      assert.ok(!['bash', 'shell', 'zsh'].includes(language), `${page}: sh for what is run, console for the rest`);
      if (language === 'console') assert.match(text, NEEDS_MORE, `${page} could be run: ${text}`);
    }
    const first = blocks.map(({ text }) => text.split('\n')[0] ?? '');
    for (const line of Object.keys(NOT_RUN)) assert.ok(first.includes(line), `no block begins with ${line}`);
  });

  for (const page of PAGES) {
    const runnable = blocksOf(page).filter(
      ({ language, text }) => language === 'sh' && NOT_RUN[text.split('\n')[0] ?? ''] === undefined,
    );
    if (runnable.length === 0) continue;
    it(`the commands of ${page} do what they say, one after the other`, async () => {
      const cwd = join(installed.work, page.replaceAll('/', '-'));
      await mkdir(cwd);
      for (const { text } of runnable) {
        const { code, stderr } = await ended('sh', ['-euc', text], { cwd, env });
        assert.equal(code, 0, `${text}\n${stderr}`);
      }
    });
  }

  it('serves a new user from an empty folder: import, account, login, follow, webhook, verified delivery, upgrade', async () => {
    const user = await startAsNewUser(installed);
    const receiver = await startReceiver();
    try {
      writeProject(user);
      const imported = await user.run('import', 'node_modules', './node_modules');
      assert.match(imported.stdout, /^engine\tfound 3\t/m, imported.stderr);

      const person = await signUpAsPerson(user, 'new@mail.example');
      const login = await user.runWhile(['login', '--no-browser'], async (said) => {
        const userCode = /enter the code (\S+)/.exec(said)?.[1];
        if (userCode) await person.approve(userCode);
        return userCode !== undefined;
      });
      assert.deepEqual([login.code, login.stdout], [0, `signed in to ${user.url} as new@mail.example\n`], login.stderr);

      const followed = await user.run('follow', 'acme');
      assert.deepEqual([followed.code, followed.stdout], [0, 'following acme\n'], followed.stderr);
      const added = await user.run('webhook', 'add', receiver.url, '--json');
      const { standardSecret } = JSON.parse(added.stdout);
      const operator = user.client({ Authorization: `Bearer ${user.rootKey()}` });
      const release = { version: '2.1.0', title: 'Engine 2.1.0', content: 'News.', url: 'https://acme.example/2.1.0' };
      const posted = await operator.post('/v1/orgs/acme/sources/engine/releases', release);
      assert.equal(posted.status, 201, posted.text);

      const { headers, body } = await receiver.received;
      assert.equal(JSON.parse(body.toString()).type, 'release.created');
      const verified = await user.run(
        ...['webhook', 'verify', '--key-file', user.write('key', standardSecret)],
        ...['--body-file', user.write('body', body), '--id', String(headers['webhook-id'])],
        ...['--signature', String(headers['webhook-signature'])],
        ...['--timestamp', String(headers['webhook-timestamp'])],
      );
      assert.deepEqual([verified.code, verified.stdout], [0, 'valid\n'], verified.stderr);

      const lockfiles = ['--lockfile', 'old/package-lock.json', 'package-lock.json'];
      const upgrade = await user.run('whats-changed', ...lockfiles, '--fail-on', 'major');
      assert.equal(upgrade.code, 1, upgrade.stderr);
      assert.match(upgrade.stdout, /^breaks\tengine\t1\.0\.0\t2\.0\.0\t.*use run\(\) instead/m);
      assert.equal(await user.stop(), 0);
    } finally {
      receiver.close();
      await user.stop();
    }
  });
});
