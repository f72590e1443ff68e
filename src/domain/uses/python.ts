import type { PackageUses, SourceFile } from './project.ts';
export function readPython(_files: readonly SourceFile[]): ReadonlyMap<string, PackageUses> {
  return new Map();
}
