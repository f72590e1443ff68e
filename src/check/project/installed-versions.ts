// Which versions are installed, for a project whose lockfile does not say so.
import { parseObject } from '../../domain/upgrade/lockfiles/json-text.ts';
import { BoundedTree } from './bounded-tree.ts';

// As a file of a workspace finds it: in its own folder of packages, or in one above.
export function installedVersions(root: string, inside: string) {
  const tree = new BoundedTree(root, inside);
  return (workspace: string, name: string): string | null => {
    for (let folder = workspace; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}/package.json`;
      const version = parseObject(tree.text(path) ?? '')?.version;
      if (typeof version === 'string') return version;
      if (folder === '') return null;
    }
  };
}
