// Python packages that a project names while no file says which version is installed: a manifest alone, or a range in place of
// a pin. The folder of installed packages lies elsewhere, so it is not asked.
import { normalizePackageName } from '../../domain/published-package.ts';
import { pyprojectNeeds } from '../../domain/upgrade/lockfiles/python.ts';
import type { Lockfile, ProjectManifest } from '../../domain/upgrade/lockfiles/read.ts';
import { requirementsNamed } from '../../domain/upgrade/lockfiles/requirements.ts';
import type { LockedPackage } from '../../domain/upgrade/lockfiles/types.ts';
import { versionSort } from '../../domain/versions/index.ts';

interface Named {
  file: string;
  text: string;
  manifests: readonly ProjectManifest[];
  locked: Lockfile;
}

// A package of a registry whose line has a range, and no version that can be compared.
export function isUnversioned({ format }: Pick<Lockfile, 'format'>, { source, version }: LockedPackage): boolean {
  return format === LISTED && source === 'registry' && versionSort(version) === null;
}

// The only kind of lockfile that need not pin.
const LISTED = 'requirements.txt';
const LOCKED: ReadonlySet<string> = new Set(['uv.lock', 'poetry.lock', 'pdm.lock']);

export function unversionedPython({ file, text, manifests, locked }: Named): string[] {
  if (LOCKED.has(locked.format)) return [];
  const known = locked.format === LISTED ? locked.packages.filter((one) => !isUnversioned(locked, one)) : [];
  const versioned = new Set(known.map(({ name }) => normalizePackageName('pypi', name)));
  const named = [
    ...manifests.flatMap((one) => namedIn(one.path, one.text)),
    ...(locked.format === LISTED ? namedIn(file, text) : []),
  ].map((name) => normalizePackageName('pypi', name));
  return [...new Set(named)].filter((name) => !versioned.has(name));
}

function namedIn(path: string, text: string): string[] {
  if (path === 'pyproject.toml') return pyprojectNeeds(text).flatMap(({ name, optional }) => (optional ? [] : [name]));
  return /\.(?:txt|in)$/.test(path) ? requirementsNamed(text) : [];
}
