// Project folders that a server on the machine of its user may check: below the roots it was started with, and below those of
// the client where it declares some. Links are followed before anything is compared.

import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { badRequest } from '../contract/errors.ts';
import { MAX_BATCH_ITEMS, type WhatsChanged } from '../contract/whats-changed.ts';
import type { Ecosystem } from '../domain/ecosystems/index.ts';
import { elementAt } from '../domain/records.ts';
import { LOCKFILES } from '../domain/upgrade/lockfiles/names.ts';
import { worthAsking } from '../domain/upgrade/report/ask-again.ts';
import type { RegistryApi } from './registry-api.ts';
import type { FolderCheck } from './tool.ts';

export interface Folders {
  // Real paths.
  roots: readonly string[];
  check: FolderCheck;
}

// What is read of a folder by its name; everything else in it is found with links resolved.
const READ_FILES = [
  ...LOCKFILES,
  'package.json',
  'pyproject.toml',
  'pnpm-workspace.yaml',
  '.npmrc',
  '.yarnrc.yml',
  '.registry-check.json',
];

// The real path of a folder that may be read. `clientRoots` are addresses; null where the client declares none.
export async function allowedFolder(
  folder: string,
  { roots, clientRoots }: { roots: readonly string[]; clientRoots: readonly string[] | null },
): Promise<string> {
  const [first = '/'] = roots;
  const refused = badRequest('folder', `must be a folder below ${roots.join(', ')}`);
  if (folder.includes('\0')) throw refused;
  const real = await realOf(isAbsolute(folder) ? folder : join(first, folder));
  if (real === null || !roots.some((root) => isBelow(root, real))) throw refused;
  for (const name of READ_FILES) {
    const file = await realOf(join(real, name));
    if (file !== null && !roots.some((root) => isBelow(root, file))) {
      throw badRequest('folder', `has a link to a file elsewhere: ${name}`);
    }
  }
  if (clientRoots === null) return real;
  const opened = (await Promise.all(clientRoots.map(pathOf))).filter((path) => path !== null);
  if (opened.some((root) => isBelow(root, real))) return real;
  throw badRequest('folder', 'is not below a root that this client has opened');
}

export async function realOf(path: string): Promise<string | null> {
  return realpath(resolve(path)).catch(() => null);
}

async function pathOf(uri: string): Promise<string | null> {
  if (!uri.startsWith('file://') || !URL.canParse(uri)) return null;
  try {
    return await realOf(fileURLToPath(uri));
  } catch {
    return null;
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return (
    way === '' ||
    (way !== '..' && !way.startsWith(`..${process.platform === 'win32' ? '\\' : '/'}`) && !isAbsolute(way))
  );
}

type Question = { package: string; ecosystem: Ecosystem; from: string; to: string };

// The notes of the registry for the packages of a project, in their order; null for what it does not track.
export function notesOf(api: RegistryApi): (items: readonly Question[]) => Promise<(WhatsChanged | null)[]> {
  return async (items) => {
    const answers: (WhatsChanged | null)[] = items.map(() => null);
    for (let start = 0; start < items.length; start += MAX_BATCH_ITEMS) {
      const body = { items: items.slice(start, start + MAX_BATCH_ITEMS) };
      const answered = await api.send('POST /whats-changed/batch', { body });
      for (const item of answered.items) {
        if (!('error' in item) && item.status === 'resolved') answers[start + item.index] = item;
      }
    }
    for (const at of worthAsking(answers)) {
      answers[at] = await api.get('/whats-changed', { query: { ...elementAt(items, at) } });
    }
    return answers;
  };
}
