import { manifestEcosystem } from '../../domain/upgrade/manifests/read-manifest.ts';
import { fileNameOf, folderOf, isIgnoredFolder } from '../adapters/changelog/files.ts';
import { byDepthAndPath, type TreeFile } from '../changelog-files/choose.ts';

export const MAX_MANIFESTS = 300;
// Larger files are generated and not read.
const MAX_BYTES = 512 * 1024;

// The manifests nearest to the root come first.
export function chooseManifests(tree: readonly TreeFile[]): TreeFile[] {
  const manifests = tree.filter(
    ({ path, size }) =>
      manifestEcosystem(fileNameOf(path)) !== null &&
      (size ?? 0) <= MAX_BYTES &&
      !folderOf(path).split('/').some(isIgnoredFolder),
  );
  return manifests.sort(byDepthAndPath).slice(0, MAX_MANIFESTS);
}
