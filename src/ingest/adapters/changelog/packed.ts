// The paths under which changelogs of published packages are stored beside the files of a repository:
// `pkg:npm/@acme/forms/CHANGELOG.md`. No file of a repository begins like this.
import { isEcosystem, type PackageName } from '../../../domain/ecosystems/index.ts';

const PACKED = /^pkg:(?<ecosystem>[^/]+)\/(?<name>(?:@[^/]+\/)?[^/]+)\/.+$/;

export function packedPath({ ecosystem, name }: PackageName, path: string): string {
  return `pkg:${ecosystem}/${name}/${path}`;
}

// Null for a file of the repository itself.
export function packageOfPath(path: string): PackageName | null {
  const { ecosystem, name } = PACKED.exec(path)?.groups ?? {};
  return name !== undefined && isEcosystem(ecosystem) ? { ecosystem, name } : null;
}
