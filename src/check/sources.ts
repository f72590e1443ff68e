// The files of a project that tell what it uses: what git tracks, or what a folder holds that is nobody's output. Never
// node_modules, build output or minified code, never anything outside of the folder.
import { execFile } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import type { SourceFile } from '../domain/uses/project.ts';

export interface ProjectSources {
  files: SourceFile[];
  // Files that may use packages and were not read, by the reason.
  leftOut: { reason: 'too_many_files' | 'too_many_bytes' | 'too_large' | 'not_readable'; count: number }[];
}

const LIMITS = { files: 20_000, bytes: 200_000_000, fileBytes: 2_000_000, folders: 50_000 };

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py)$/i;
const ABOUT =
  /(?:^|\/)(?:package\.json|[tj]sconfig[\w.-]*\.json|\.nvmrc|\.node-version|\.tool-versions|Dockerfile[\w.-]*|[\w.-]+\.Dockerfile|Makefile|\.gitlab-ci\.ya?ml|action\.ya?ml|azure-pipelines\.ya?ml|lefthook\.ya?ml)$|(?:^|\/)(?:\.github\/workflows|\.circleci|\.forgejo\/workflows|\.gitea\/workflows)\/[\w.-]+\.ya?ml$|(?:^|\/)\.husky\/[\w-]+$/;
const NEVER =
  /(?:^|\/)(?:node_modules|bower_components|\.git|\.yarn|\.pnpm-store|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.cache|\.venv|venv|site-packages|__pycache__|\.tox|vendor|vendored|third_party)\//;
const BUILT = /(?:^|\/)(?:dist|build|out|coverage|storybook-static|public\/build)\//;
const MINIFIED = /[.-](?:min|bundle|umd)\.[cm]?js$/i;

export async function projectSources(folder: string, signal?: AbortSignal): Promise<ProjectSources> {
  const root = await realpath(folder);
  const tracked = await trackedFiles(root, signal);
  // What is tracked under the name of a build folder is source; what merely lies there is output.
  const isBuilt = (path: string) => tracked === null && BUILT.test(path);
  const paths = (tracked ?? (await filesBelow(root)))
    .filter(
      (path) => (SOURCE.test(path) || ABOUT.test(path)) && !NEVER.test(path) && !MINIFIED.test(path) && !isBuilt(path),
    )
    .sort();
  const counts = new Map<ProjectSources['leftOut'][number]['reason'], number>();
  const leaveOut = (reason: ProjectSources['leftOut'][number]['reason']) =>
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    signal?.throwIfAborted();
    if (files.length >= LIMITS.files) {
      leaveOut('too_many_files');
      continue;
    }
    const read = await readInside(root, path);
    if (read === 'outside') continue;
    if (typeof read === 'string') leaveOut(read);
    else if (bytes + read.length > LIMITS.bytes) leaveOut('too_many_bytes');
    else {
      bytes += read.length;
      const text = read.toString('utf8');
      if (!isMinified(text) || ABOUT.test(path)) files.push({ path, text });
    }
  }
  return { files, leftOut: [...counts].map(([reason, count]) => ({ reason, count })) };
}

// A file inside of the folder, links resolved.
async function readInside(root: string, path: string): Promise<Buffer | 'outside' | 'too_large' | 'not_readable'> {
  try {
    const real = await realpath(join(root, path));
    if (!real.startsWith(root + sep) || NEVER.test(real.slice(root.length).replaceAll(sep, '/'))) return 'outside';
    const file = await open(real, 'r');
    try {
      const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : { size: -1 }));
      if (size < 0) return 'outside';
      if (size > LIMITS.fileBytes) return 'too_large';
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    return 'not_readable';
  }
}

// Code that a program has written has few lines, and they are long.
function isMinified(text: string): boolean {
  if (text.length < 5_000) return false;
  const lines = text.split('\n');
  return text.length / lines.length > 500 || lines.some((line) => line.length > 50_000);
}

// Null when the folder belongs to no repository.
async function trackedFiles(root: string, signal?: AbortSignal): Promise<string[] | null> {
  try {
    const run = promisify(execFile);
    const flags = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
    const { stdout } = await run('git', [...flags, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      maxBuffer: 64_000_000,
      timeout: 60_000,
      ...(signal ? { signal } : {}),
    });
    return [...new Set(stdout.split('\0').filter((path) => path !== ''))];
  } catch {
    signal?.throwIfAborted();
    return null;
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
