// The folders and manifests of a project, as many of them as a project of people has: what strangers have prepared ends as soon.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textFileAt } from '../local-file.ts';

const LIMITS = {
  fileBytes: 4 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  folders: 20_000,
  found: 2_000,
  parts: 20,
  depth: 3,
};

export class BoundedTree {
  readonly #root: string;
  readonly #inside: string;
  #bytesLeft = LIMITS.bytes;
  #foldersLeft = LIMITS.folders;

  // Links are followed as far as `inside`, a real path.
  constructor(root: string, inside: string) {
    this.#root = root;
    this.#inside = inside;
  }

  // Null when it is not there, cannot be read, or enough was read already.
  text(path: string): string | null {
    if (this.#bytesLeft <= 0) return null;
    const text = textFileAt(join(this.#root, path), { most: LIMITS.fileBytes, inside: this.#inside });
    this.#bytesLeft -= text?.length ?? 0;
    return text;
  }

  // The folders of a pattern such as `packages/*`. A star stands for one level, two for any; a pattern that would leave the
  // project names none.
  foldersOf(pattern: string): string[] {
    const parts = pattern.replace(/^\.\//, '').split('/').filter(Boolean);
    if (/^[!/]/.test(pattern) || parts.includes('..') || parts.length > LIMITS.parts) return [];
    let folders = [''];
    for (const part of parts) {
      const next: string[] = [];
      for (const folder of folders) {
        if (next.length >= LIMITS.found) break;
        if (part === '**') next.push(folder, ...this.#below(folder, LIMITS.depth));
        else if (!part.includes('*')) next.push(pathBelow(folder, part));
        else
          next.push(
            ...this.#folders(folder)
              .filter((name) => fitsStars(name, part))
              .map((name) => pathBelow(folder, name)),
          );
      }
      folders = [...new Set(next)].slice(0, LIMITS.found);
    }
    return folders.filter((folder) => folder !== '');
  }

  #below(folder: string, depth: number): string[] {
    const found: string[] = [];
    for (const name of depth === 0 ? [] : this.#folders(folder)) {
      if (found.length >= LIMITS.found) break;
      const path = pathBelow(folder, name);
      found.push(path, ...this.#below(path, depth - 1));
    }
    return found.slice(0, LIMITS.found);
  }

  // Links are not followed, and installed packages are no workspaces.
  #folders(folder: string): string[] {
    if (this.#foldersLeft <= 0) return [];
    this.#foldersLeft -= 1;
    try {
      return readdirSync(join(this.#root, folder), { withFileTypes: true })
        .filter((one) => one.isDirectory() && one.name !== 'node_modules' && !one.name.startsWith('.'))
        .map(({ name }) => name)
        .sort()
        .slice(0, LIMITS.found);
    } catch {
      return [];
    }
  }
}

function pathBelow(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

// Whether a name has the parts between the stars in their order; each is looked for once.
export function fitsStars(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
