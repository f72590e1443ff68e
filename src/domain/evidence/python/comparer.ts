// Python packages, which are compared by their sources.
import type { Comparer } from '../comparer.ts';
import { RULES_VERSION } from '../finding.ts';
import { comparePython } from './compare.ts';
import { readPythonPackage } from './read-package.ts';

export const PYTHON: Comparer = {
  async describe(archive) {
    const { files, refused, isLarge } = await readPythonPackage(archive);
    if (!files) return { refused, isLarge };
    const { name, version } = files.metadata;
    // Names of other packages are no findings, so that nothing has to stand beside it.
    return { needs: { name, version, hasTypes: true, dependencies: [] } };
  },

  async compare({ old, next }) {
    const [before, after] = [await readPythonPackage(old.archive), await readPythonPackage(next.archive)];
    const unread = before.files ? after : before;
    if (!before.files || !after.files) {
      return { kind: unread.isLarge ? 'too_large' : 'refused', reason: unread.refused ?? '' };
    }
    // A source archive may be built into modules that stand nowhere in it.
    const empty = [before, after].find(({ files }) => files.modules.size === 0);
    if (empty) return { kind: 'refused', reason: `no modules are found in ${empty.files.metadata.version}` };
    return {
      kind: 'compared',
      evidence: { ...comparePython(before.files, after.files), types: 'own', rules: RULES_VERSION },
    };
  },
};
