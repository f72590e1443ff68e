// Whether the dates that a package registry tells are those of publishing. A mirror dates old versions by the day on which it copied
// them; the public registries, and one that the operator named for a scope, tell their own.
import type { Config } from '../../config.ts';
import { type Ecosystem, factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import type { PackageStateRow } from '../../store/schema/packages.ts';

export function isDatedByRegistry(
  { packages }: Config,
  { ecosystem, state }: { ecosystem: Ecosystem; state: Pick<PackageStateRow, 'registry'> | null },
): boolean {
  if (state !== null && state.registry !== null) return true;
  return URL.parse(packages.urls[ecosystem])?.host === factsOfEcosystem(ecosystem).publicHosts[0];
}
