// yarn.lock, both the older form of its own and the YAML of later versions.
import { blockLines } from './block-lines.ts';
import { readNpmSpec } from './npm.ts';
import { PackageList } from './types.ts';

interface YarnEntry {
  specs: string;
  version: string | null;
  resolution: string | null;
  dependencies: string[];
}

export function readYarnLock(text: string): PackageList {
  const list = new PackageList('npm');
  const entries = entriesOf(text);
  // Only the later, YAML form lists the project itself.
  const own = entries.filter(({ resolution }) => resolution?.includes('@workspace:'));
  const direct = new Set(own.flatMap(({ dependencies }) => dependencies));
  for (const { specs, version, resolution } of entries) {
    const spec = readNpmSpec(resolution ?? firstSpec(specs));
    if (spec === null || version === null || resolution?.includes('@workspace:')) continue;
    list.add(spec.name, version, own.length === 0 ? null : isDirect(specs, direct));
  }
  return list;
}

function entriesOf(text: string): YarnEntry[] {
  const entries: YarnEntry[] = [];
  for (const { indent, key, value, path } of blockLines(text)) {
    const entry = entries.at(-1);
    if (indent === 0) entries.push({ specs: key, version: null, resolution: null, dependencies: [] });
    else if (entry && path.length === 1 && key === 'version') entry.version = value;
    else if (entry && path.length === 1 && key === 'resolution') entry.resolution = value;
    else if (entry && path.length === 2 && /^(?:dev)?dependencies$/i.test(path[1] ?? '')) {
      entry.dependencies.push(`${key}@${value}`);
    }
  }
  return entries;
}

function firstSpec(specs: string): string {
  return (specs.split(',', 1)[0] ?? '').trim().replace(/^"|"$/g, '');
}

function isDirect(specs: string, direct: ReadonlySet<string>): boolean {
  return specs.split(',').some((spec) => direct.has(spec.trim().replace(/^"|"$/g, '')));
}
