// Branches and tags of a repository, read without git: its own files, then the list of packed ones.
import { join } from 'node:path';
import { textFileAt } from '../local-file.ts';
import type { Repository } from './repository.ts';

const MAX_REF = 4_096;
const MAX_PACKED = 64 * 1024 * 1024;
const MAX_DEPTH = 5;
const OBJECT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
// Where git looks for a short name, in its order.
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

// The object that a name stands for; null where none does.
export function objectOfRef(repository: Repository, name: string): string | null {
  if (!isRefName(name)) return null;
  const packed = packedRefs(repository);
  const full = [...PLACES.map((place) => place + name), `refs/remotes/${name}/HEAD`];
  // Beside `refs`, names are in capitals: HEAD, FETCH_HEAD, ORIG_HEAD.
  for (const one of full.filter((path) => path.startsWith('refs/') || /^[A-Z_]+$/.test(path))) {
    const found = followRef(repository, { name: one, packed, depth: 0 });
    if (found !== null) return found;
  }
  return null;
}

// What git allows in names, and nothing that leaves the folder.
function isRefName(name: string): boolean {
  return name !== '' && name.length < 1_000 && !/^[-/.]|\.\.|\/[./]|\/$|[\p{Cc} ~^:?*[\\]|@\{/u.test(name);
}

interface Followed {
  name: string;
  packed: ReadonlyMap<string, string>;
  depth: number;
}

function followRef(repository: Repository, { name, packed, depth }: Followed): string | null {
  const folder = name.startsWith('refs/') ? repository.commonFolder : repository.gitFolder;
  const text = textFileAt(join(folder, name), { most: MAX_REF })?.trim() ?? packed.get(name);
  if (text === undefined) return null;
  const target = /^ref: *(refs\/\S+)$/.exec(text)?.[1];
  if (target !== undefined) {
    const isFollowed = depth < MAX_DEPTH && isRefName(target);
    return isFollowed ? followRef(repository, { name: target, packed, depth: depth + 1 }) : null;
  }
  const object = /^[0-9a-f]+/.exec(text)?.[0] ?? '';
  return OBJECT.test(object) ? object : null;
}

function packedRefs({ commonFolder }: Repository): Map<string, string> {
  const text = textFileAt(join(commonFolder, 'packed-refs'), { most: MAX_PACKED }) ?? '';
  return new Map(
    [...text.matchAll(/^([0-9a-f]{40,64}) (refs\/\S+)$/gm)].map(([, object = '', name = '']) => [name, object]),
  );
}
