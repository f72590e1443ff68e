// poetry.lock, uv.lock and requirements.txt.
import { linesOf } from './block-lines.ts';
import { PackageList } from './types.ts';

interface TomlPackage {
  name: string | null;
  version: string | null;
  /** The project itself, or a folder of it. */
  isOwn: boolean;
  dependencies: string[];
}

const FIELD = /^(name|version) = "([^"\\]{1,250})"\s*$/;
const OWN_SOURCE = /^source = \{ ?(?:virtual|editable|directory|path) ?=/;
const DEPENDENCY = /^\s+\{ name = "([^"\\]{1,214})"/;

/** The lists of packages of both files look alike; only uv lists the project and what it depends on. */
export function readTomlLock(text: string): PackageList {
  const list = new PackageList('pypi');
  const packages = tomlPackages(text);
  const own = packages.filter(({ isOwn }) => isOwn);
  const direct = new Set(own.flatMap(({ dependencies }) => dependencies));
  for (const { name, version, isOwn } of packages) {
    if (!isOwn && name !== null) list.add(name, version, own.length === 0 ? null : direct.has(name));
  }
  return list;
}

function tomlPackages(text: string): TomlPackage[] {
  const packages: TomlPackage[] = [];
  let open: TomlPackage | null = null;
  let listsDependencies = false;
  for (const line of linesOf(text)) {
    if (line.startsWith('[')) {
      // Tables below a package say more about it, but hold neither its name nor its version.
      open = line.trim() === '[[package]]' ? { name: null, version: null, isOwn: false, dependencies: [] } : null;
      if (open) packages.push(open);
      listsDependencies = false;
    } else if (open) {
      const field = FIELD.exec(line);
      if (field) open[field[1] as 'name' | 'version'] ??= field[2] ?? null;
      else if (OWN_SOURCE.test(line)) open.isOwn = true;
      else if (line.startsWith('dependencies = [')) listsDependencies = true;
      else if (line.startsWith(']')) listsDependencies = false;
      else if (listsDependencies) open.dependencies.push(...(DEPENDENCY.exec(line)?.slice(1) ?? []));
    }
  }
  return packages;
}

// `name[extra]==1.2.3 ; marker`, with a pin or any other range.
const REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]{0,212}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*\(?((?:[<>=!~]=?=?[^;#()]{1,190})?)\)?\s*(?:[;#].*)?$/;

export function readRequirements(text: string): PackageList {
  const list = new PackageList('pypi');
  for (const raw of linesOf(text)) {
    // Hashes and options follow the requirement, often on lines of their own.
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
