// Packages that a lockfile, or a diff of one, says come from another registry than the public one. Their names are nobody
// else's business.
import { PUBLIC_PACKAGE_HOSTS } from '../../ecosystems/index.ts';
import { objectOf, parseObject } from './json-text.ts';
import { billAddresses } from './sbom.ts';

// Names as the file writes them; empty where it names no addresses. `more` are hosts that count as public besides.
export function privateNames(text: string, more: readonly string[] = []): ReadonlySet<string> {
  const found = new Set<string>();
  const isPublic = (host: string) => PUBLIC_PACKAGE_HOSTS.has(host) || more.includes(host);
  const note = (name: string, address: unknown) => {
    if (name === '' || typeof address !== 'string' || !/^https?:/.test(address)) return;
    const host = URL.parse(address)?.host;
    if (host !== undefined && !isPublic(host)) found.add(name);
  };
  const json = text.trimStart().startsWith('{') ? parseObject(text) : null;
  if (json) {
    for (const { name, address } of billAddresses(json)) note(name, address);
    for (const [folder, value] of Object.entries(objectOf(json.packages) ?? {})) {
      const entry = objectOf(value);
      note(typeof entry?.name === 'string' ? entry.name : nameIn(folder), entry?.resolved);
    }
    noteNested(json.dependencies, note);
    return found;
  }
  let name = '';
  for (const line of text.split('\n')) {
    name = nameOfLine(line) ?? name;
    note(name, ADDRESS.exec(line)?.[1]);
  }
  return found;
}

// The first format of package-lock nests what stands below another package.
function noteNested(dependencies: unknown, note: (name: string, address: unknown) => void): void {
  const open = [dependencies];
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    for (const [name, value] of Object.entries(objectOf(list) ?? {})) {
      const entry = objectOf(value);
      note(name, entry?.resolved ?? entry?.version);
      if (entry?.dependencies) open.push(entry.dependencies);
    }
  }
}

const YARN_HEAD = /^[+-]?"?((?:@[\w.~-]+\/)?[\w.~-]+)@/;
const PYTHON_NAME = /^[+-]?name = "([^"]+)"/;
const PNPM_HEAD = /^[+-]? {2,4}['"]?\/?((?:@[\w.~-]+\/)?[\w.~-]+)@[^:'"]+['"]?:/;
const JSON_HEAD = /^[+-]?\s*"([^"]{1,600})": \{/;
const ADDRESS = /(?:"?resolved"?:?|tarball:|registry = |url = )[ "]*(https?:\/\/[^"\s}]+)/;

function nameOfLine(line: string): string | null {
  const folder = JSON_HEAD.exec(line)?.[1];
  if (folder !== undefined) return nameIn(folder);
  return (YARN_HEAD.exec(line) ?? PYTHON_NAME.exec(line) ?? PNPM_HEAD.exec(line))?.[1] ?? null;
}

function nameIn(folder: string): string {
  const at = folder.lastIndexOf('node_modules/');
  return at === -1 ? folder : folder.slice(at + 'node_modules/'.length);
}
