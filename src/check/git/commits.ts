// What a commit of a repository holds, and which files its working tree does.
import { relative, sep } from 'node:path';
import { objectOfRef } from './refs.ts';
import type { Repository } from './repository.ts';
import { type GitCaller, GitFailure, runGit } from './run-git.ts';

const OBJECT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
// `main~2^2`: the name of a commit, then the way to one before it.
const NAMED = /^(.+?)((?:[~^]\d*|\^\{(?:commit|tag)?\})*)$/;
const PATHS_A_CALL = 500;

// The full name of the commit; null where there is none of that name. Names come from people and from CI, so none of them
// reaches git but as the name of an object.
export async function commitNamed(repository: Repository, name: string, caller: GitCaller): Promise<string | null> {
  const [, base = '', way = ''] = NAMED.exec(name) ?? [];
  const isObject = /^[0-9a-f]{4,64}$/.test(base);
  const object = objectOfRef(repository, base === '@' ? 'HEAD' : base) ?? (isObject ? base : null);
  if (object === null) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${object}${way}^{commit}`];
  try {
    const found = (await runGit(repository, { args, ...caller })).toString('utf8').trim();
    return OBJECT.test(found) ? found : null;
  } catch (error) {
    if (error instanceof GitFailure && error.isRefusal) return null;
    throw error;
  }
}

interface FilesInput {
  commit: string;
  // The folder that the paths are below, as a real path.
  folder: string;
  paths: readonly string[];
}

// The texts of files at a commit by their paths; those that it does not have are absent.
export async function filesAtCommit(
  repository: Repository,
  { commit, folder, paths }: FilesInput,
  caller: GitCaller,
): Promise<Map<string, string>> {
  const prefix = relative(repository.top, folder).split(sep).join('/');
  const full = new Map(paths.map((path) => [prefix === '' ? path : `${prefix}/${path}`, path]));
  const objects = new Map<string, string>();
  for (let start = 0; start < paths.length; start += PATHS_A_CALL) {
    const asked = [...full.keys()].slice(start, start + PATHS_A_CALL);
    const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...asked];
    const listed = (await runGit(repository, { args, ...caller })).toString('utf8');
    for (const [, object = '', path = ''] of listed.matchAll(/\d+ blob ([0-9a-f]+)\t([^\0]*)\0/g))
      objects.set(path, object);
  }
  const texts = await blobTexts(repository, [...new Set(objects.values())], caller);
  return new Map(
    [...objects].flatMap(([path, object]) => [[full.get(path) ?? path, texts.get(object) ?? ''] as const]),
  );
}

async function blobTexts(
  repository: Repository,
  objects: readonly string[],
  caller: GitCaller,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (objects.length === 0) return found;
  const input = `${objects.join('\n')}\n`;
  const answer = await runGit(repository, { args: ['cat-file', '--batch'], input, ...caller });
  for (let start = 0; found.size < objects.length; ) {
    const end = answer.indexOf('\n', start);
    const [, object = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/.exec(answer.toString('latin1', start, end)) ?? [];
    if (end < 0 || object === '') throw new GitFailure('the repository lacks a file of that commit');
    found.set(object, answer.toString('utf8', end + 1, end + 1 + Number(size)));
    start = end + 1 + Number(size) + 1;
  }
  return found;
}

// The paths below a folder that are tracked, or new and not ignored.
export async function workingFiles(repository: Repository, folder: string, caller: GitCaller): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = (await runGit(repository, { args, folder, ...caller })).toString('utf8');
  return [...new Set(listed.split('\0').filter((path) => path !== ''))];
}
