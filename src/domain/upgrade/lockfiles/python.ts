// poetry.lock, uv.lock and requirements.txt.
import { parseToml } from '../toml.ts';
import { linesOf } from './block-lines.ts';
import { type JsonObject, objectOf } from './json-text.ts';
import { PackageList } from './types.ts';

// In uv.lock, the source types of packages that belong to the project itself.
const OWN_SOURCES = ['virtual', 'editable', 'directory', 'path'];

// poetry.lock and uv.lock list packages in the same form; only uv.lock also lists the project and its dependencies.
export function readTomlLock(text: string): PackageList | null {
  const document = parseToml(text);
  if (document === null) return null;
  const list = new PackageList('pypi');
  const packages = objectsOf(document.package);
  const own = packages.filter(isOwn);
  const direct = new Set(own.flatMap(({ dependencies }) => objectsOf(dependencies).map(({ name }) => name)));
  for (const entry of packages) {
    if (!isOwn(entry)) list.add(entry.name, entry.version, own.length === 0 ? null : direct.has(entry.name));
  }
  return list;
}

// Whether a package is the project itself or a folder of it.
function isOwn({ source }: JsonObject): boolean {
  return OWN_SOURCES.some((kind) => objectOf(source)?.[kind] !== undefined);
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== null) : [];
}

// `name[extra]==1.2.3 ; marker`, with a pin or any other range.
const REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]{0,212}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*\(?((?:[<>=!~]=?=?[^;#()]{1,190})?)\)?\s*(?:[;#].*)?$/;

export function readRequirements(text: string): PackageList {
  const list = new PackageList('pypi');
  for (const raw of linesOf(text)) {
    // Hashes and options behind the requirement are cut off; often they have lines of their own.
    const line = raw.split(/\s--|\\$/, 1)[0]?.trim() ?? '';
    if (line === '' || line.length > 1000 || line.startsWith('#') || line.startsWith('-')) continue;
    const [, name, range = ''] = REQUIREMENT.exec(line) ?? [];
    if (name !== undefined && range !== '') list.add(name, pinOrRange(range.trim()), true);
  }
  return list;
}

function pinOrRange(range: string): string {
  const pin = /^===?\s*([^\s,*]+)$/.exec(range);
  return pin?.[1] ?? range;
}
