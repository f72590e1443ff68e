// The paths under which changelogs of published packages are stored beside the files of a repository:
// `pkg:npm/@acme/forms/CHANGELOG.md`. No file of a repository begins like this.
import type { Ecosystem } from '../../../domain/published-package.ts';
import type { PackageName } from '../../../domain/upgrade/requested-package.ts';

const PACKED = /^pkg:(?<ecosystem>npm|pypi)\/(?<name>(?:@[^/]+\/)?[^/]+)\/.+$/;

export function packedPath({ ecosystem, name }: PackageName, path: string): string {
  return `pkg:${ecosystem}/${name}/${path}`;
}

// Null for a file of the repository itself.
export function packageOfPath(path: string): PackageName | null {
  const { ecosystem, name } = PACKED.exec(path)?.groups ?? {};
  return ecosystem === undefined || name === undefined ? null : { ecosystem: ecosystem as Ecosystem, name };
}
