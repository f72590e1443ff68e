// Finds the repository that a folder belongs to by its `.git` alone. Files in the shape of a bare repository may come with the
// code of strangers (they survive commit and clone), so they are never taken for one, and neither is what the caller's
// environment names.
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { textFileAt } from '../local-file.ts';

export interface Repository {
  // The real path of the folder whose files it tracks.
  top: string;
  // Where the index and HEAD of this working tree are, and where the objects and branches.
  gitFolder: string;
  commonFolder: string;
  objectFormat: 'sha1' | 'sha256';
}

const MAX_POINTER = 10_000;
const MAX_CONFIG = 1_000_000;

// Null where no folder up to the root of the disk has one that can be read.
export function findRepository(folder: string): Repository | null {
  try {
    for (let place = realpathSync(folder); ; place = dirname(place)) {
      const gitFolder = gitFolderIn(place);
      if (gitFolder === 'broken') return null;
      if (gitFolder !== null) return repositoryAt(place, gitFolder);
      if (place === dirname(place)) return null;
    }
  } catch {
    return null;
  }
}

// The folder that no link of a project may leave: its repository, or itself where it has none.
export function boundaryOf(folder: string): string {
  try {
    return findRepository(folder)?.top ?? realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

// A file `.git` names the folder that is meant, as in submodules and further working trees.
function gitFolderIn(place: string): string | 'broken' | null {
  const path = join(place, '.git');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const pointed = stat.isFile()
    ? /^gitdir: (.+?)\r?\n?$/.exec(textFileAt(path, { most: MAX_POINTER }) ?? '')?.[1]
    : null;
  if (pointed === undefined) return 'broken';
  const gitFolder = pointed === null ? path : resolve(place, pointed);
  return hasFile(gitFolder, 'HEAD') ? gitFolder : pointed === null ? null : 'broken';
}

function repositoryAt(top: string, gitFolder: string): Repository | null {
  const common = textFileAt(join(gitFolder, 'commondir'), { most: MAX_POINTER })?.trim();
  const commonFolder = common ? resolve(gitFolder, common) : gitFolder;
  if (!readdirSync(commonFolder).includes('objects')) return null;
  const config = textFileAt(join(commonFolder, 'config'), { most: MAX_CONFIG }) ?? '';
  return {
    top,
    gitFolder,
    commonFolder,
    objectFormat: /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1',
  };
}

function hasFile(folder: string, name: string): boolean {
  return textFileAt(join(folder, name), { most: MAX_POINTER }) !== null;
}
