// The files of a project that tell what it uses: what git tracks, or what a folder holds that is nobody's output. Never
// node_modules, build output or minified code, never anything outside of the folder.
import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { isRecord } from '../domain/records.ts';
import { parseObject } from '../domain/upgrade/lockfiles/json-text.ts';
import type { SourceFile } from '../domain/uses/project.ts';
import { FileRefused, readRegular, realPathInside } from '../runtime/regular-file.ts';
import { workingFiles } from './git/commits.ts';
import { findRepository } from './git/repository.ts';
import { type GitCaller, GitFailure } from './git/run-git.ts';

export interface ProjectSources {
  files: SourceFile[];
  // Files that may use packages and were not read, by the reason.
  leftOut: { reason: 'too_many_files' | 'too_many_bytes' | 'too_large' | 'not_readable'; count: number }[];
  // Why git did not say which files are the project's, where it should have.
  gitFailure: string | null;
}

const LIMITS = { files: 20_000, bytes: 200_000_000, fileBytes: 2_000_000, folders: 50_000, bare: 5_000 };

type LeftOut = ProjectSources['leftOut'][number]['reason'];

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py)$/i;
const ABOUT =
  /(?:^|\/)(?:package\.json|[tj]sconfig[\w.-]*\.json|\.nvmrc|\.node-version|\.tool-versions|Dockerfile[\w.-]*|[\w.-]+\.Dockerfile|Makefile|\.gitlab-ci\.ya?ml|action\.ya?ml|azure-pipelines\.ya?ml|lefthook\.ya?ml)$|(?:^|\/)(?:\.github\/workflows|\.circleci|\.forgejo\/workflows|\.gitea\/workflows)\/[\w.-]+\.ya?ml$|(?:^|\/)\.husky\/[\w-]+$/;
const NEVER =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.yarn|\.pnpm-store|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.cache|\.venv|venv|site-packages|__pycache__|\.tox|vendor|vendored|third_party)\//;
const BUILT = /(?:^|\/)(?:dist|build|out|coverage|storybook-static|public\/build)\//;
const MINIFIED = /[.-](?:min|bundle|umd)\.[cm]?js$/i;

export async function projectSources(folder: string, caller: GitCaller): Promise<ProjectSources> {
  const root = await realpath(folder);
  const { signal } = caller;
  const { tracked, gitFailure } = await trackedFiles(root, caller);
  // What is tracked under the name of a build folder is source; what merely lies there is output.
  const isBuilt = (path: string) => tracked === null && BUILT.test(path);
  const candidates = (tracked ?? (await filesBelow(root)))
    .filter((path) => !NEVER.test(path) && !MINIFIED.test(path) && !isBuilt(path))
    .sort();
  const paths = candidates.filter((path) => SOURCE.test(path) || ABOUT.test(path));
  const counts = new Map<LeftOut, number>();
  const leaveOut = (reason: LeftOut) => counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    signal?.throwIfAborted();
    if (files.length >= LIMITS.files) {
      leaveOut('too_many_files');
      continue;
    }
    const read = await readInside(root, path, signal);
    if (read === 'outside') continue;
    if (typeof read === 'string') leaveOut(read);
    else if (bytes + read.length > LIMITS.bytes) leaveOut('too_many_bytes');
    else {
      bytes += read.length;
      const text = read.toString('utf8');
      if (!isMinified(text) || ABOUT.test(path)) files.push({ path, text });
    }
  }
  for (const { path, text } of await programsAmong(root, candidates.filter(isBare), { files, leaveOut, signal })) {
    bytes += text.length;
    if (files.length >= LIMITS.files) leaveOut('too_many_files');
    else if (bytes > LIMITS.bytes) leaveOut('too_many_bytes');
    else files.push({ path, text, isProgram: true });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, leftOut: [...counts].map(([reason, count]) => ({ reason, count })), gitFailure };
}

// A name without an extension.
function isBare(path: string): boolean {
  return !ABOUT.test(path) && !path.slice(path.lastIndexOf('/') + 1).includes('.');
}

const PROGRAM = /^#![^\n]{0,200}\b(?:node|nodejs|bun|deno|tsx|ts-node|zx)\b/;

interface ProgramTools {
  files: readonly SourceFile[];
  leaveOut(reason: LeftOut): void;
  signal: AbortSignal | undefined;
}

// Scripts without an extension: those whose first line says so, and those that a manifest names as commands.
async function programsAmong(root: string, paths: readonly string[], { files, leaveOut, signal }: ProgramTools) {
  const named = new Set(files.flatMap(commandsOf));
  const found: { path: string; text: string }[] = [];
  for (const path of paths.slice(0, LIMITS.bare)) {
    signal?.throwIfAborted();
    const read = await readInside(root, path, signal);
    if (typeof read !== 'string') {
      const text = read.toString('utf8');
      if ((named.has(path) || PROGRAM.test(text)) && !text.includes('\0')) found.push({ path, text });
    } else if (read !== 'outside' && named.has(path)) leaveOut(read);
  }
  return found;
}

// The files that a manifest names as commands.
function commandsOf({ path, text }: SourceFile): string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return [];
  const bin = parseObject(text)?.bin;
  const named = typeof bin === 'string' ? [bin] : isRecord(bin) ? Object.values(bin) : [];
  const folder = path.slice(0, -'package.json'.length);
  return named.flatMap((one) => (typeof one === 'string' ? [posix.normalize(folder + one)] : []));
}

// A file inside of the folder, links resolved.
async function readInside(
  root: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Buffer | 'outside' | 'too_large' | 'not_readable'> {
  try {
    const real = await realPathInside(root, join(root, path));
    if (real === null || NEVER.test(real.slice(root.length).replaceAll(sep, '/'))) return 'outside';
    return await readRegular(real, { most: LIMITS.fileBytes, signal });
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.refusal === 'not_regular') return 'outside';
    return error.refusal === 'too_large' ? 'too_large' : 'not_readable';
  }
}

// Code that a program has written has few lines, and they are long.
function isMinified(text: string): boolean {
  if (text.length < 5_000) return false;
  const lines = text.split('\n');
  return text.length / lines.length > 500 || lines.some((line) => line.length > 50_000);
}

// Null when the folder belongs to no repository that git can read.
async function trackedFiles(
  root: string,
  caller: GitCaller,
): Promise<Pick<ProjectSources, 'gitFailure'> & { tracked: string[] | null }> {
  const repository = findRepository(root);
  if (repository === null) return { tracked: null, gitFailure: null };
  try {
    return { tracked: await workingFiles(repository, root, caller), gitFailure: null };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    return { tracked: null, gitFailure: error.message };
  }
}

async function filesBelow(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let next = 0; next < folders.length && next < LIMITS.folders; next += 1) {
    const folder = folders[next] ?? '';
    const entries: Dirent[] = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!NEVER.test(`${path}/`) && !BUILT.test(`${path}/`)) folders.push(path);
      } else found.push(path);
    }
  }
  return found;
}
