// Finds a program as a shell does, except in places that come with the project: `npx` and scripts of npm put its own
// `node_modules/.bin` before everything else, and an empty or relative entry means the folder where the command runs.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from '../runtime/regular-file.ts';

// The folders of a PATH that the project at `refused` cannot have filled.
export function trustedPath(path: string, refused: string): string[] {
  return path.split(delimiter).filter((folder) => {
    if (!isAbsolute(folder) || /[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder)) return false;
    return [folder, realFolder(folder)].every((one) => !isInside(refused, one));
  });
}

// Null where there is none.
export function trustedProgram(name: string, { path, refused }: { path: string; refused: string }): string | null {
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  const files = trustedPath(path, refused).flatMap((folder) => names.map((one) => join(folder, one)));
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
