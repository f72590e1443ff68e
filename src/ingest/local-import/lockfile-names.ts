// The packages of the npm registry that a lockfile names; a thread reads long ones.
import { IMPORTED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { readLockfile } from '../../domain/upgrade/lockfiles/index.ts';
import { threadTask } from '../../threads/task.ts';

export function npmNames(file: { filename: string; text: string }): string[] {
  const locked = readLockfile(file)?.packages ?? [];
  const published = locked.filter(({ ecosystem, source }) => ecosystem === IMPORTED_ECOSYSTEM && source === 'registry');
  return [...new Set(published.map(({ name }) => name))];
}

export const LOCKFILE_READING = threadTask(import.meta.url, npmNames);
