// Folders of strangers whose repositories would start commands: no way to check them does.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Cli, createCli } from '../support/cli.ts';
import { wrapModern } from '../support/mcp.ts';
import { startNpmRegistry, type Versions } from '../support/npm-registry.ts';
import { LAUNCHER, NODE_FLAGS } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';
import {
  embedBare,
  git,
  makeRepository,
  markingProgram,
  springTrap,
  trapRepository,
  writeProject,
} from './repositories.ts';

const types = (text: string) => ({
  manifest: { types: 'index.d.ts', main: 'index.js' },
  files: { 'index.js': '', 'index.d.ts': text },
});
const LAMP: Versions = {
  '1.0.0': types('export declare function on(): void; export declare function off(): void;'),
  '2.0.0': types('export declare function on(): void;'),
};
const project = (lamp: string) => ({
  'package.json': { name: 'house', dependencies: { lamp: '^1.0.0' } },
  'package-lock.json': {
    lockfileVersion: 3,
    packages: { '': { dependencies: { lamp: '^1.0.0' } }, 'node_modules/lamp': { version: lamp } },
  },
  'src/a.ts': "import { off } from 'lamp';\noff();\n",
});
const under = (folder: string, files: Record<string, string | object>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

describe('a repository of strangers', () => {
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let cli: Cli;
  let env: Record<string, string>;
  let root: string;
  let mark: string;
  let trap: ReturnType<typeof markingProgram>;
  const made: string[] = [];

  before(async () => {
    registry = await startNpmRegistry({ lamp: LAMP });
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
    cli = await createCli('');
  });
  after(async () => {
    await registry.close();
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  });

  async function startAnew(): Promise<void> {
    root = await scratchFolder('registry-trap-');
    made.push(root);
    mark = join(root, 'mark');
    trap = markingProgram(join(root, 'bin'), mark);
  }

  async function checkByMcp(folder: string): Promise<string> {
    const surrounding = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
    const args = [...NODE_FLAGS, LAUNCHER, 'mcp', '--stdio', '--root', folder];
    const settings = { ...surrounding, ...env, REGISTRY_API_URL: registry.url, HOME: root };
    const transport = new StdioClientTransport({ command: process.execPath, args, env: settings, stderr: 'ignore' });
    const client = await wrapModern(transport);
    const { text } = await client.call('check_upgrades', { folder: '.' });
    await client.close();
    return text;
  }

  const noMark = (what: string) =>
    assert.equal(existsSync(mark) ? readFileSync(mark, 'utf8') : '', '', `${what} started a program`);

  it('is not a bare one that lies in the folder', async () => {
    await startAnew();
    const repo = join(root, 'repo');
    mkdirSync(repo);
    makeRepository(repo, under('app', project('1.0.0')), under('app', project('2.0.0')));
    const app = join(repo, 'app');
    embedBare(app, trap);
    assert.ok(springTrap(app, mark, 'ls-files'), 'the trap of listed files is none');
    assert.ok(springTrap(app, mark, 'rev-parse', '--verify', 'origin/main^{commit}'), 'the trap of commits is none');

    writeProject(app, project('1.0.0'));
    const plain = await cli.run(['check', '--folder', app, '--json'], { env });
    assert.equal(plain.code, 0, plain.stderr);
    assert.equal(JSON.parse(plain.stdout).packages[0].use.use, 'used');
    noMark('check --folder app');
    writeProject(app, project('2.0.0'));
    const changed = await cli.run(['check', '--folder', app, '--base', 'origin/main', '--md'], { env });
    assert.equal(changed.code, 0, changed.stderr);
    assert.match(changed.stdout, /lamp/);
    noMark('check --base origin/main --md');
    writeProject(app, project('1.0.0'));
    assert.match(await checkByMcp(app), /lamp/);
    noMark('mcp --stdio --root');
  });

  for (const isEmpty of [false, true]) {
    it(`has a hostile configuration${isEmpty ? ', and lacks its objects' : ''}`, async () => {
      await startAnew();
      const repo = join(root, 'repo');
      mkdirSync(repo);
      makeRepository(repo, project('1.0.0'), project('2.0.0'));
      trapRepository(repo, trap, { isEmpty });
      assert.ok(springTrap(repo, mark, 'status'), 'the trap is none');

      const since = await cli.run(['check', '--folder', repo, '--base', 'origin/main', '--md'], { env });
      if (isEmpty) {
        assert.equal(since.code, 1);
        assert.match(since.stderr, /git knows no commit "origin\/main"/);
      } else {
        assert.equal(since.code, 0, since.stderr);
        assert.match(since.stdout, /lamp/);
      }
      writeProject(repo, project('1.0.0'));
      const plain = await cli.run(['check', '--folder', repo, '--json'], { env });
      assert.equal(JSON.parse(plain.stdout).packages[0].use.use, 'used');
      if (!isEmpty) assert.match(await checkByMcp(repo), /lamp/);
      noMark('a check');
    });
  }

  it('says that git could not list its files', async () => {
    await startAnew();
    const repo = join(root, 'repo');
    mkdirSync(repo);
    makeRepository(repo, project('1.0.0'), {});
    writeProject(repo, { '.git/index': 'no index' });
    const { code, stdout, stderr } = await cli.run(['check', '--folder', repo, '--json'], { env });
    assert.equal(code, 0, stderr);
    const { leftOut, packages } = JSON.parse(stdout);
    assert.match(leftOut.join(), /^what git knows of the files \(.*index.*\), so all of them were read$/);
    assert.equal(packages[0].use.use, 'used');
  });

  it('says which commit lacks its files, and fetches none', async () => {
    await startAnew();
    const repo = join(root, 'repo');
    mkdirSync(repo);
    makeRepository(repo, project('1.0.0'), project('2.0.0'));
    const blob = git(repo, 'rev-parse', 'origin/main:package-lock.json').trim();
    await rm(join(repo, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
    trapRepository(repo, trap);
    const { code, stderr } = await cli.run(['check', '--folder', repo, '--base', 'origin/main'], { env });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /"origin\/main" cannot be read: the repository lacks a file of that commit; nothing is fetched/,
    );
    noMark('check --base');
  });

  it('is found by no variable, and git by no folder of the project', async () => {
    await startAnew();
    const repo = join(root, 'repo');
    mkdirSync(repo);
    makeRepository(repo, project('1.0.0'), project('2.0.0'));
    const bin = join(repo, 'node_modules/.bin');
    const other = join(root, 'other');
    mkdirSync(bin, { recursive: true });
    mkdirSync(other);
    makeRepository(other, { 'x.ts': '' }, { 'x.ts': '1' });
    trapRepository(other, trap);
    for (const name of ['git', 'less', 'node']) {
      copyFileSync(trap.file, join(bin, name));
      copyFileSync(trap.file, join(repo, name));
      chmodSync(join(repo, name), 0o755);
    }
    writeFileSync(join(root, 'config'), `[core]\n\tfsmonitor = "${trap.command}"\n`);
    const hostile: Record<string, string> = {
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
      GIT_CONFIG_GLOBAL: join(root, 'config'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: trap.command,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${trap.file}'`,
      GIT_EXEC_PATH: bin,
      GIT_SSH_COMMAND: trap.command,
      GIT_EXTERNAL_DIFF: trap.command,
      GIT_PAGER: trap.command,
      GIT_ASKPASS: trap.file,
      GIT_TRACE: join(root, 'traced'),
      PATH: ['.', '', bin, join(repo), process.env.PATH].join(':'),
    };
    const kept = { ...process.env };
    Object.assign(process.env, hostile);
    try {
      const since = await cli.run(['check', '--folder', repo, '--base', 'origin/main~0', '--md'], { env });
      assert.equal(since.code, 0, since.stderr);
      assert.match(since.stdout, /lamp/);
      writeProject(repo, project('1.0.0'));
      const plain = await cli.run(['check', '--folder', repo, '--json'], { env });
      assert.equal(JSON.parse(plain.stdout).packages[0].use.use, 'used');
    } finally {
      for (const name of Object.keys(hostile)) delete process.env[name];
      Object.assign(process.env, kept);
    }
    noMark('a variable or a folder of PATH');
    assert.equal(existsSync(join(root, 'traced')), false);
  });

  it('is read through a file .git, with packed and symbolic names, in worktrees and with long hashes', async () => {
    await startAnew();
    const repo = join(root, 'repo');
    mkdirSync(repo);
    makeRepository(repo, project('1.0.0'), project('2.0.0'));
    git(repo, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    git(repo, 'tag', '--annotate', '--message', 'one', 'v1', 'origin/main');
    const full = git(repo, 'rev-parse', 'origin/main').trim();
    git(repo, 'pack-refs', '--all');
    git(repo, 'worktree', 'add', '--quiet', '--detach', join(root, 'second'));
    renameSync(join(repo, '.git'), join(root, 'elsewhere'));
    writeFileSync(join(repo, '.git'), `gitdir: ${join(root, 'elsewhere')}\n`);
    writeFileSync(join(root, 'second/.git'), `gitdir: ${join(root, 'elsewhere/worktrees/second')}\n`);
    for (const folder of [repo, join(root, 'second')]) {
      for (const name of ['origin/main', 'origin', 'v1', 'v1^{}', 'HEAD~1', 'HEAD^', '@~', full, full.slice(0, 9)]) {
        const { code, stdout, stderr } = await cli.run(['check', '--folder', folder, '--base', name, '--json'], {
          env,
        });
        assert.equal(code, 0, `${name}: ${stderr}`);
        assert.equal(JSON.parse(stdout).base.commit, full, name);
      }
      for (const name of ['', '-v', '../../x', 'nothing', 'HEAD:src', 'main@{1}', ':/change', 'HEAD --all']) {
        const { code, stderr } = await cli.run(['check', '--folder', folder, `--base=${name}`], { env });
        assert.equal(code, 1, name);
        assert.match(stderr, /git knows no commit/, name);
      }
    }
    const long = join(root, 'long');
    mkdirSync(long);
    git(long, 'init', '--quiet', '--object-format=sha256');
    makeRepository(long, project('1.0.0'), project('2.0.0'));
    const { code, stdout, stderr } = await cli.run(['check', '--folder', long, '--base', 'HEAD~1', '--json'], { env });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).base.commit.length, 64);
  });
});
