// The packages of the npm registry that a lockfile names; a thread reads long ones.
import { readLockfile } from '../../domain/upgrade/lockfiles/index.ts';
import { threadTask } from '../../threads/task.ts';

export function npmNames(file: { filename: string; text: string }): string[] {
  const locked = readLockfile(file)?.packages ?? [];
  const published = locked.filter(({ ecosystem, source }) => ecosystem === 'npm' && source === 'registry');
  return [...new Set(published.map(({ name }) => name))];
}

export const LOCKFILE_READING = threadTask(import.meta.url, npmNames);
