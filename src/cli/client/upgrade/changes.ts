// Reads the changed packages from lockfiles and manifests on disk. Only names and versions are sent to a server.
import { basename, dirname, join } from 'node:path';
import { manifestsBeside } from '../../../check/project/manifests.ts';
import { changedPackages } from '../../../domain/upgrade/lockfiles/changed-packages.ts';
import { faultOf } from '../../../domain/upgrade/lockfiles/file-fault.ts';
import { readLockfile } from '../../../domain/upgrade/lockfiles/index.ts';
import { LOCKFILES } from '../../../domain/upgrade/lockfiles/names.ts';
import { newestOfManifest } from '../../../domain/upgrade/lockfiles/newest.ts';
import type { Lockfile } from '../../../domain/upgrade/lockfiles/read.ts';
import { FILE_KINDS } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import { readVersionRange } from '../../../domain/upgrade/version-range.ts';
import { CommandFailure } from '../../command.ts';
import { readProjectFile } from '../files.ts';

export type DependencyChange = ReturnType<typeof changedPackages>[number];

interface DependencyChanges {
  changes: readonly DependencyChange[];
  // A file names more packages than are read.
  truncated: boolean;
}

// Compares two states of a lockfile; an empty old file stands for none.
export function lockfileChanges(before: string, after: string): DependencyChanges {
  const [older, newer] = [packagesIn(before, { mayBeEmpty: true }), packagesIn(after)];
  return {
    changes: changedPackages(older, newer),
    truncated: older.truncated || newer.truncated,
  };
}

// A list of requirements is a manifest itself.
const LOCKFILES_BESIDE = LOCKFILES.filter((name) => name !== 'requirements.txt');

// The upgrade of each package from the installed version (by the lockfile beside the manifest, otherwise the lowest
// version of its range) to the newest.
export function manifestChanges(manifest: string): DependencyChanges {
  const named = packagesIn(manifest);
  const beside = LOCKFILES_BESIDE.map((name) => textOf(join(dirname(manifest), name), name)).find(
    (one) => one !== null,
  );
  const changes = newestOfManifest(named, beside ?? null).map((change) => ({
    ...change,
    from: readVersionRange(change.from ?? '')?.lowest ?? change.from,
  }));
  return { changes, truncated: named.truncated || beside?.truncated === true };
}

type PackageFile = Pick<Lockfile, 'packages' | 'direct' | 'truncated'>;

// Null when the file does not exist or cannot be parsed.
function textOf(file: string, filename: string): PackageFile | null {
  try {
    return readLockfile({ filename, text: readProjectFile(file), manifests: manifestsBeside(file) });
  } catch {
    return null;
  }
}

function packagesIn(file: string, { mayBeEmpty = false } = {}): PackageFile {
  const text = readProjectFile(file);
  if (mayBeEmpty && text.trim() === '') return { packages: [], direct: [], truncated: false };
  const filename = basename(file);
  const found = readLockfile({ filename, text, manifests: manifestsBeside(file) });
  if (found) return found;
  const fault = faultOf({ filename, text });
  throw new CommandFailure(
    fault ? `${file} cannot be read: ${fault.text}` : `${file} is none of the files that can be read: ${FILE_KINDS}`,
  );
}
