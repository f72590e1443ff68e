// The one place where git is started, on repositories that strangers may have prepared. What can start a program (fsmonitor,
// hooks, filters, textconv, external diff, pager, credential helper, ssh command, proxy, remotes of missing objects, files that
// are included) is configuration, so git is given a repository of our own without any, which borrows nothing but the objects and
// the index of the one that is read. This holds for every version of git; the flags are what newer ones add.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textFileAt } from '../local-file.ts';
import type { Environment } from '../npmrc/settings.ts';
import { trustedProgram } from '../trusted-program.ts';
import type { Repository } from './repository.ts';

// Git is missing, refuses, takes too long, or says too much.
export class GitFailure extends Error {
  override name = 'GitFailure';
  // It ran and said no.
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, cause }: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isRefusal = isRefusal;
  }
}

const LIMITS = { milliseconds: 10_000, bytes: 64 * 1024 * 1024 };
const MAX_EXCLUDE = 1_000_000;
const NOWHERE = '/dev/null';

const FLAGS = [
  '--no-pager',
  ...[
    'safe.bareRepository=explicit',
    'protocol.allow=never',
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    `core.hooksPath=${NOWHERE}`,
    `core.attributesFile=${NOWHERE}`,
    `core.excludesFile=${NOWHERE}`,
  ].flatMap((setting) => ['-c', setting]),
];

// Who runs it: of the environment nothing but PATH is used.
export interface GitCaller {
  env: Environment;
  signal?: AbortSignal | undefined;
}

interface GitCall extends GitCaller {
  args: readonly string[];
  input?: string;
  // The folder that paths are named from; else the top one.
  folder?: string;
}

export async function runGit(
  repository: Repository,
  { args, input = '', folder, env, signal }: GitCall,
): Promise<Buffer> {
  signal?.throwIfAborted();
  const program = trustedProgram('git', { path: env.PATH ?? '', refused: repository.top });
  if (program === null) throw new GitFailure('git is not installed');
  const own = await mkdtemp(join(tmpdir(), 'registry-git-'));
  try {
    await layOut(own, repository);
    return await runProgram(program, {
      args: ['-C', folder ?? repository.top, ...FLAGS, ...args],
      env: environmentFor(own, repository, env),
      input,
      cwd: own,
      signal,
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

// A repository with no settings but the kind of its hashes.
async function layOut(own: string, { gitFolder, commonFolder, objectFormat }: Repository): Promise<void> {
  const isOld = objectFormat === 'sha1';
  const format = isOld ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`;
  await mkdir(join(own, 'refs'));
  await mkdir(join(own, 'objects'));
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(own, 'config'), `[core]\n\trepositoryFormatVersion = ${isOld ? 0 : 1}\n${format}`);
  const excluded = textFileAt(join(commonFolder, 'info', 'exclude'), { most: MAX_EXCLUDE });
  await mkdir(join(own, 'info'));
  await writeFile(join(own, 'info', 'exclude'), excluded ?? '');
  // An index may be split, and git looks for its larger part in its own folder.
  const entries = await readdir(gitFolder, { withFileTypes: true }).catch(() => []);
  const parts = entries.filter((entry) => entry.isFile() && /^sharedindex\.[0-9a-f]{40,64}$/.test(entry.name));
  for (const { name } of parts.slice(0, 10)) await symlink(join(gitFolder, name), join(own, name));
}

// Nothing of the caller's environment, least of all its GIT_… variables.
function environmentFor(
  own: string,
  { top, gitFolder, commonFolder }: Repository,
  { SystemRoot }: Environment,
): NodeJS.ProcessEnv {
  return {
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    HOME: own,
    XDG_CONFIG_HOME: own,
    LC_ALL: 'C',
    PATH: '',
    GIT_DIR: own,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: join(gitFolder, 'index'),
    GIT_OBJECT_DIRECTORY: join(commonFolder, 'objects'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: NOWHERE,
    GIT_CONFIG_GLOBAL: NOWHERE,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOC_LIMIT: '512m',
  };
}

interface ProgramCall {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: string;
  cwd: string;
  signal: AbortSignal | undefined;
}

function runProgram(program: string, { args, env, input, cwd, signal }: ProgramCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LIMITS.milliseconds, maxBuffer: LIMITS.bytes, killSignal: 'SIGKILL' } as const;
    const options = {
      cwd,
      env,
      ...limits,
      encoding: 'buffer',
      windowsHide: true,
      ...(signal ? { signal } : {}),
    } as const;
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (signal?.aborted) return reject(signal.reason);
      const said = stderr.toString('utf8').trim().split('\n')[0]?.slice(0, 300);
      const isRefusal = typeof error.code === 'number';
      const message = isRefusal ? said || 'git ended with an error' : 'git took too long, or told too much';
      reject(new GitFailure(message, { isRefusal, cause: error }));
    });
    // Git may end before it has read everything.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
