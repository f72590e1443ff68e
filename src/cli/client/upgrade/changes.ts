// Reads the changed packages from lockfiles and manifests on disk. Only names and versions are sent to a server.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { changedPackages } from '../../../domain/upgrade/lockfiles/changed-packages.ts';
import { readLockfile } from '../../../domain/upgrade/lockfiles/index.ts';
import type { LockedPackage } from '../../../domain/upgrade/lockfiles/types.ts';
import { readVersionRange } from '../../../domain/upgrade/version-range.ts';
import { CommandFailure } from '../../command.ts';
import { readTextFile } from '../files.ts';

export type DependencyChange = ReturnType<typeof changedPackages>[number];

interface DependencyChanges {
  changes: readonly DependencyChange[];
  // A file names more packages than are read.
  truncated: boolean;
}

const KNOWN =
  'package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, package.json, requirements.txt, poetry.lock, uv.lock';

// Compares two states of a lockfile; an empty old file stands for none.
export function lockfileChanges(before: string, after: string): DependencyChanges {
  const [older, newer] = [packagesIn(before, { mayBeEmpty: true }), packagesIn(after)];
  return {
    changes: changedPackages(older.packages, newer.packages),
    truncated: older.truncated || newer.truncated,
  };
}

const LOCKFILES_BESIDE = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'poetry.lock',
  'uv.lock',
];

// The upgrade of each package from the installed version (by the lockfile beside the manifest, otherwise the lowest
// version of its range) to the newest.
export function manifestChanges(manifest: string): DependencyChanges {
  const { packages, truncated } = packagesIn(manifest);
  const beside = LOCKFILES_BESIDE.map((name) => textOf(join(dirname(manifest), name), name)).find(
    (one) => one !== null,
  );
  const locked = new Map(
    (beside ? changedPackages(beside.packages, []) : []).map(({ ecosystem, name, from }) => [
      `${ecosystem} ${name}`,
      from,
    ]),
  );
  const changes = packages.map(({ ecosystem, name, version }) => ({
    ecosystem,
    name,
    from: locked.get(`${ecosystem} ${name}`) ?? readVersionRange(version)?.lowest ?? version,
    to: 'latest',
    direct: true,
  }));
  return { changes, truncated: truncated || beside?.truncated === true };
}

interface PackageFile {
  packages: readonly LockedPackage[];
  truncated: boolean;
}

// Null when the file does not exist or cannot be parsed.
function textOf(file: string, filename: string): PackageFile | null {
  try {
    return readLockfile({ filename, text: readFileSync(file, 'utf8') });
  } catch {
    return null;
  }
}

function packagesIn(file: string, { mayBeEmpty = false } = {}): PackageFile {
  const text = readTextFile(file);
  if (mayBeEmpty && text.trim() === '') return { packages: [], truncated: false };
  const found = readLockfile({ filename: basename(file), text });
  if (found) return found;
  throw new CommandFailure(`${file} is none of the files that can be read: ${KNOWN}`);
}
