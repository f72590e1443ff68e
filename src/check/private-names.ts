// Which packages may be named to whom. What comes from a registry that is not the public one is private until told otherwise.
import type { PackageChange } from '../domain/upgrade/lockfiles/changed-packages.ts';
import type { NpmSettings } from './npmrc/settings.ts';
import { NotTold } from './packages/source.ts';
import { PUBLIC_HOSTS } from './project/package-hosts.ts';

// Whether others than its own registry may hear the name.
export function mayBeNamed(
  settings: NpmSettings,
  { ecosystem, name }: Pick<PackageChange, 'ecosystem' | 'name'>,
): boolean {
  return ecosystem !== 'npm' || settings.registryOf(name).isPublic;
}

// A package that the project has from elsewhere is not asked for at the public registry: `.npmrc` does not say where it
// comes from, and its name may be nobody else's business.
export function refusalByHost(
  settings: NpmSettings,
  change: Pick<PackageChange, 'ecosystem' | 'name'>,
  host: string | undefined,
): NotTold | null {
  if (host === undefined || PUBLIC_HOSTS.has(host) || !mayBeNamed(settings, change)) return null;
  if (change.ecosystem === 'npm' && URL.parse(settings.registryOf(change.name).url)?.host === host) return null;
  const where = change.ecosystem === 'npm' ? 'no .npmrc names it' : 'only the public index is asked';
  return new NotTold(`the project has it from ${host}, and ${where}`, host);
}
