// Whether the project can load a package that can only be imported.

import { admitsVersion } from '../evidence/ranges.ts';
import { isRecord } from '../records.ts';
import { nodeFloors, type Surroundings } from './floors.ts';
import type { PackageTouch, PackageUses, ProjectUses } from './project.ts';
import { readJson } from './resolve.ts';
import { extensionOf } from './script-blocks.ts';
import { makeUse, type Use } from './use.ts';

// Since then `require` loads modules that can only be imported, as long as they await nothing.
const REQUIRES_MODULES = '^20.19.0 || >=22.12.0';

export function moduleKindUse(uses: ProjectUses, { touches }: PackageUses, runtime: Surroundings['runtime']): Use {
  const kinds = loadsOf(touches).map((touch) => ({
    touch,
    kind: kindOf(uses, touch.file, touch.how, touch.kind),
  }));
  const required = kinds.filter(({ kind }) => kind === 'commonjs').map(({ touch }) => touch);
  if (required.length > 0) {
    const named = nodeFloors(uses).map(({ lowest }) => lowest);
    const versions = named.length > 0 ? named : [runtime?.version ?? null];
    const isNew = versions.every((version) => version !== null && admitsVersion(REQUIRES_MODULES, version));
    return makeUse(isNew ? 'unclear' : 'not_met', required);
  }
  const unknown = kinds.filter(({ kind }) => kind === 'unknown').map(({ touch }) => touch);
  return unknown.length > 0 ? makeUse('unclear', unknown) : makeUse('met');
}

// Where each file loads each entry point; `require('pkg').a` does that where it is used.
function loadsOf(touches: readonly PackageTouch[]): PackageTouch[] {
  return [...Map.groupBy(touches, ({ file, subpath }) => `${file}\n${subpath}`).values()].flatMap((all) => {
    const loads = all.filter(({ kind, path, how }) => kind === 'import' || (how === 'require' && path.length === 0));
    return loads.length > 0 ? loads : all.filter(({ carried }) => carried === 0);
  });
}

function kindOf(uses: ProjectUses, file: string, how: string, kind: string): 'module' | 'commonjs' | 'unknown' {
  if (how === 'dynamic' || kind === 'type') return 'module';
  if (how === 'require') return 'commonjs';
  const extension = extensionOf(file);
  if (extension === 'mjs' || extension === 'mts' || extension === 'vue' || extension === 'svelte') return 'module';
  if (extension === 'cts') return 'commonjs';
  const isModule = nearest(uses, file, /(?:^|\/)package\.json$/, (value) => value.type === 'module');
  if (!/^tsx?$/.test(extension)) return isModule ? 'module' : 'unknown';
  const target = nearest(uses, file, /(?:^|\/)tsconfig\.json$/, (value) => {
    const options = isRecord(value.compilerOptions) ? value.compilerOptions : {};
    return typeof options.module === 'string' ? options.module.toLowerCase() : null;
  });
  if (target === 'commonjs') return 'commonjs';
  if (typeof target === 'string' && /^(?:node|es|preserve)/.test(target)) {
    return target.startsWith('node') && !isModule ? 'commonjs' : 'module';
  }
  return isModule ? 'module' : 'unknown';
}

// What the nearest file of that name above another one says.
function nearest<T>(
  uses: ProjectUses,
  file: string,
  name: RegExp,
  read: (value: Record<string, unknown>) => T,
): T | null {
  const above = uses.manifests
    .filter(({ path }) => name.test(path) && file.startsWith(path.slice(0, path.lastIndexOf('/') + 1)))
    .sort((a, b) => b.path.length - a.path.length);
  const value = above[0] ? readJson(above[0].text) : null;
  return isRecord(value) ? read(value) : null;
}
