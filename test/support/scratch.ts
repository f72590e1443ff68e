// The folder of temporary databases: in memory where the machine offers it, because creating and deleting their
// hundreds of files on a disk costs more than most tests.
import { accessSync, constants, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
// Far more than a run needs; containers often have only a few megabytes.
const ROOM = 2 * 1024 ** 3;

export function scratchFolder(prefix: string): Promise<string> {
  return mkdtemp(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), prefix));
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM;
  } catch {
    return false;
  }
}

// Names a folder that all processes of a run share, with the files of filled databases; unset in a run by hand.
export const FILLED_VARIABLE = 'REGISTRY_TEST_FILLED';
