// Repositories in which everything that git can be configured to start is one command, which leaves a mark.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ABSENT = '1'.repeat(40);
const PLAIN = ['-c', 'init.defaultBranch=main', '-c', 'user.name=a', '-c', 'user.email=a@a.example'];

const LIMIT_MS = 10_000;

// What is made for a test may hold anything, patterns that git never ends with and links to files of the machine among it.
export function git(folder: string, ...args: string[]): string {
  refuseLinks(join(folder, '.git'));
  return execFileSync('git', ['-C', folder, ...PLAIN, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
}

// Git replaces what the links of its own folder lead to.
function refuseLinks(gitFolder: string): void {
  const isFolder = lstatSync(gitFolder, { throwIfNoEntry: false })?.isDirectory();
  const entries = isFolder ? readdirSync(gitFolder, { withFileTypes: true, recursive: true }) : [];
  if (entries.every((entry) => entry.isFile() || entry.isDirectory())) return;
  throw Object.assign(new Error('its repository has links'), { code: 'ELOOP' });
}

export function writeProject(folder: string, files: Record<string, string | object>): void {
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(roomFor(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

// The place of a new file. Links, pipes and devices on the way make room, so that nothing is written through them.
export function roomFor(folder: string, path: string): string {
  const parts = path.split('/');
  if (parts.includes('..')) throw new Error(`${path} leaves its folder`);
  mkdirSync(folder, { recursive: true });
  return parts.reduce((above, part, index) => {
    const place = join(above, part);
    const isAbove = index < parts.length - 1;
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found && !(isAbove && found.isDirectory())) rmSync(place, { recursive: true });
    if (isAbove && !found?.isDirectory()) mkdirSync(place);
    return place;
  }, folder);
}

// A program that leaves the mark, and what a shell would be told to do the same.
export function markingProgram(folder: string, mark: string): { file: string; command: string } {
  const file = join(folder, 'leave-mark');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`);
  chmodSync(file, 0o755);
  return { file, command: `'${file}'` };
}

function hostileConfig(command: string, hooks: string): string {
  return `[core]
	repositoryFormatVersion = 1
	bare = false
	fsmonitor = "${command}"
	hooksPath = "${hooks}"
	pager = "${command}"
	editor = "${command}"
	askPass = "${command}"
	sshCommand = "${command}"
	gitProxy = "${command}"
	alternateRefsCommand = "${command}"
	attributesFile = "${hooks}/attributes"
[extensions]
	partialClone = trap
	worktreeConfig = true
[remote "trap"]
	url = .
	promisor = true
	partialCloneFilter = blob:none
	uploadPack = "${command};"
	vcs = ext
[remote "origin"]
	url = .
	promisor = true
	uploadPack = "${command};"
[credential]
	helper = "!${command}"
[diff]
	external = "${command}"
[diff "trap"]
	textconv = "${command}"
	command = "${command}"
[filter "trap"]
	clean = "${command}"
	smudge = "${command}"
	process = "${command}"
	required = true
[pager]
	ls-files = "${command}"
	show = "${command}"
[alias]
	ls-files = "!${command}"
[include]
	path = "${hooks}/included"
[includeIf "gitdir:/"]
	path = "${hooks}/included"
[protocol "ext"]
	allow = always
[index]
	sparse = true
[gpg]
	program = "${command}"
`;
}

// Turns the repository below `gitFolder` into a trap.
function setTraps(gitFolder: string, { file, command }: { file: string; command: string }): void {
  const hooks = join(gitFolder, 'hooks');
  rmSync(hooks, { recursive: true, force: true });
  mkdirSync(hooks, { recursive: true });
  const names = ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-checkout', 'pre-auto-gc'];
  for (const name of names) cpSync(file, join(hooks, name));
  writeProject(gitFolder, {
    'hooks/attributes': '* filter=trap diff=trap\n',
    'hooks/included': `[core]\n\tfsmonitor = "${command}"\n\tsshCommand = "${command}"\n`,
    config: hostileConfig(command, hooks),
    'config.worktree': `[core]\n\tfsmonitor = "${command}"\n`,
  });
}

// A repository of the project with two commits and a sparse index; `origin/main` is the first one.
export function makeRepository(folder: string, before: Record<string, string | object>, after: typeof before): void {
  git(folder, 'init', '--quiet');
  const commit = (files: typeof before) => {
    writeProject(folder, files);
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'change');
  };
  commit(before);
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit(after);
}

const templates = new Map<string, string>();

// A folder that is made once a process, to be copied.
export function templateOf(name: string, make: (folder: string) => void): string {
  const known = templates.get(name);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'registry-template-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  make(folder);
  templates.set(name, folder);
  return folder;
}

function loseObjects(gitFolder: string, ref = 'refs/remotes/origin/main'): void {
  rmSync(join(gitFolder, 'objects'), { recursive: true });
  mkdirSync(join(gitFolder, 'objects'));
  writeProject(gitFolder, { [ref]: `${ABSENT}\n` });
  rmSync(join(gitFolder, 'packed-refs'), { force: true });
}

// Plain files in the shape of a bare repository beside the project: its index is sparse and its objects are missing.
export function embedBare(folder: string, trap: { file: string; command: string }): void {
  const sparse = templateOf('sparse', (made) => {
    makeRepository(made, { 'a.ts': '', 'deep/b.ts': '' }, { 'a.ts': '1' });
    git(made, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'nothing');
  });
  cpSync(join(sparse, '.git'), folder, { recursive: true });
  setTraps(folder, trap);
  loseObjects(folder);
  mkdirSync(join(folder, 'refs'), { recursive: true });
}

// The repository of the project itself, with all of its configuration hostile; perhaps without its objects.
export function trapRepository(
  folder: string,
  trap: { file: string; command: string },
  { isEmpty = false } = {},
): void {
  writeProject(folder, { '.gitattributes': '* filter=trap diff=trap\n' });
  setTraps(join(folder, '.git'), trap);
  if (isEmpty) loseObjects(join(folder, '.git'));
}

export function makePipe(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path], { timeout: LIMIT_MS });
}

// What git itself would have started; for a test that its traps are real.
export function springTrap(folder: string, mark: string, ...args: string[]): boolean {
  try {
    git(folder, '-c', 'safe.bareRepository=all', ...args);
  } catch {
    // A promisor that answers nothing ends git with an error.
  }
  const isSprung = existsSync(mark);
  rmSync(mark, { force: true });
  return isSprung;
}
