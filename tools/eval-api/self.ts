// A package against itself: nothing may differ. A comment at the end of each file keeps the comparison from seeing at once
// that both are the same.
import { compareApi } from '../../src/domain/evidence/compare.ts';
import type { Finding } from '../../src/domain/evidence/finding.ts';
import { readPackage } from '../../src/domain/evidence/read-package.ts';

export async function selfFindings(archive: Uint8Array): Promise<Finding[]> {
  const { files } = await readPackage(archive);
  if (!files) return [];
  const texts = [...files.texts].map(([path, text]) => {
    return [path, path.endsWith('.json') ? text : `${text}\n// The same again.\n`] as const;
  });
  return compareApi(files, { ...files, texts: new Map(texts) }).findings;
}
