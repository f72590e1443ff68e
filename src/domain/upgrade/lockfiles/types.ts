import type { Ecosystem } from '../../package-names.ts';

export interface LockedPackage {
  ecosystem: Ecosystem;
  name: string;
  // A version, or the range when the file pins no version.
  version: string;
  // Whether the project itself names the package; null when the file does not say.
  direct: boolean | null;
}

// Bounds the memory that a hostile file can take.
export const MOST_PACKAGES = 20_000;
const LONGEST_NAME = 214;
const LONGEST_VERSION = 200;

// Collects distinct packages up to the bound.
export class PackageList {
  readonly packages: LockedPackage[] = [];
  truncated = false;
  readonly #seen = new Map<string, LockedPackage>();
  readonly #ecosystem: Ecosystem;

  constructor(ecosystem: Ecosystem) {
    this.#ecosystem = ecosystem;
  }

  add(name: unknown, version: unknown, direct: boolean | null): void {
    if (typeof name !== 'string' || typeof version !== 'string') return;
    if (!isName(name) || version === '' || version.length > LONGEST_VERSION) return;
    const key = `${name}\n${version}`;
    const known = this.#seen.get(key);
    // The file may list the same version again as the dependency of another package.
    if (known) known.direct = known.direct || direct;
    else if (this.packages.length >= MOST_PACKAGES) this.truncated = true;
    else {
      const found = { ecosystem: this.#ecosystem, name, version, direct };
      this.#seen.set(key, found);
      this.packages.push(found);
    }
  }
}

const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/;

export function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && NAME.test(text);
}
