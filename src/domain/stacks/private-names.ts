// Packages that a lockfile says come from another registry than the public one. Their names are nobody else's business.
import { objectOf, parseObject } from '../upgrade/lockfiles/json-text.ts';

const PUBLIC = new Set(['registry.npmjs.org', 'registry.yarnpkg.com', 'pypi.org', 'files.pythonhosted.org']);

// Names as the lockfile writes them; empty where it names no addresses.
export function privateNames(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const json = text.trimStart().startsWith('{') ? parseObject(text) : null;
  if (json) {
    for (const [folder, value] of Object.entries(objectOf(json.packages) ?? {}))
      note(found, nameIn(folder), objectOf(value)?.resolved);
    for (const [name, value] of Object.entries(objectOf(json.dependencies) ?? {}))
      note(found, name, objectOf(value)?.resolved);
    return found;
  }
  let name = '';
  for (const line of text.split('\n')) {
    name = YARN_HEAD.exec(line)?.[1] ?? PYTHON_NAME.exec(line)?.[1] ?? name;
    note(found, name, ADDRESS.exec(line)?.[1]);
  }
  return found;
}

const YARN_HEAD = /^"?((?:@[\w.~-]+\/)?[\w.~-]+)@/;
const PYTHON_NAME = /^name = "([^"]+)"/;
const ADDRESS = /(?:resolved|tarball:|registry = |url = )[ "]*(https?:\/\/[^"\s}]+)/;

function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function note(found: Set<string>, name: string, address: unknown): void {
  if (name === '' || typeof address !== 'string' || !/^https?:/.test(address)) return;
  const host = URL.parse(address)?.host;
  if (host !== undefined && !PUBLIC.has(host)) found.add(name);
}
