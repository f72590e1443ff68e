// Whether the dates that a package registry tells are those of publishing. A mirror dates old versions by the day on which it copied
// them; the public registries, and one that the operator named for a scope, tell their own.
import type { Config } from '../../config.ts';
import type { Ecosystem } from '../../domain/ecosystems/index.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';

const PUBLIC_HOSTS: Record<Ecosystem, string> = { npm: 'registry.npmjs.org', pypi: 'pypi.org' };

export function isDatedByRegistry(
  { packages }: Config,
  { ecosystem, state }: { ecosystem: Ecosystem; state: Pick<PackageStateRow, 'registry'> | null },
): boolean {
  if (state !== null && state.registry !== null) return true;
  return new URL(packages.urls[ecosystem]).host === PUBLIC_HOSTS[ecosystem];
}
