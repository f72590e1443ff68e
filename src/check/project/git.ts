// What git knows of a project. Names of commits come from people and from CI, so none of them can be taken for an option.
import { execFile } from 'node:child_process';

const MAX_BYTES = 64 * 1024 * 1024;

// Null when git is missing, refuses, or knows no such thing.
function git(folder: string, args: readonly string[]): Promise<string | null> {
  // No program of the repository's own is started for this.
  const all = ['-C', folder, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args];
  return new Promise((resolve) => {
    execFile('git', all, { maxBuffer: MAX_BYTES, encoding: 'utf8' }, (error, stdout) => {
      resolve(error ? null : stdout);
    });
  });
}

// The full name of a commit.
export async function commitOf(folder: string, ref: string): Promise<string | null> {
  if (ref === '' || ref.startsWith('-') || ref.includes('\0')) return null;
  const found = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  return /^[0-9a-f]{40,64}$/.exec(found?.trim() ?? '')?.[0] ?? null;
}

// The text of a file at a commit, by its path below the folder; null when it was not there.
export function textAt(folder: string, commit: string, path: string): Promise<string | null> {
  return git(folder, ['cat-file', 'blob', `${commit}:./${path}`]);
}
