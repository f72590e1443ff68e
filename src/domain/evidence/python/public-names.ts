// Which names of a package its users may rely on, and by which modules they reach each definition.
import type { Definition, PythonModule } from './model.ts';
import { isStandard, type Names, type Target } from './package.ts';

const NOT_PUBLIC = /^(?:_.*|tests?|testsuite|conftest|setup|benchmarks?|examples?|docs?)$/;

export function isPublicModule(name: string): boolean {
  return !name.split('.').some((part) => NOT_PUBLIC.test(part));
}

function isRoot({ name }: PythonModule): boolean {
  return !name.includes('.');
}

export function isPublicName(name: string): boolean {
  return !name.startsWith('_') || name === '__version__';
}

// The names of a module that it offers. What it only imported for its own use is not among them.
export function offeredNames(names: Names, module: PythonModule): Map<string, Target> {
  const offered = new Map<string, Target>();
  const listed = new Set(module.all ?? []);
  const all = new Set([...module.names.keys(), ...listed]);
  for (const star of module.stars) {
    if (names.isOwn(star) && (isRoot(module) || !isPublicModule(star)))
      for (const name of names.starredNames(star)) all.add(name);
  }
  for (const name of all) {
    if (!isPublicName(name)) continue;
    const definitions = module.names.get(name) ?? [];
    if (!listed.has(name) && !isOffered(module, name, definitions)) continue;
    const target = names.find(module.name, name);
    if (target === null || target.kind === 'unknown') continue;
    // A submodule is told as the module that it is.
    if (target.kind === 'module' && !listed.has(name)) continue;
    offered.set(name, target);
  }
  return offered;
}

function isOffered(module: PythonModule, name: string, definitions: readonly Definition[]): boolean {
  const [first] = definitions;
  // By a star.
  if (!first) return true;
  if (first.kind === 'import') {
    if (!isRoot(module) || first.name === null) return false;
    return !isStandard(first.module) && (!module.hasAll || first.module.startsWith(module.name));
  }
  if (first.kind !== 'value') return true;
  if (first.madeBy !== null && /(?:^|\.)(?:TypeVar|ParamSpec|TypeVarTuple|getLogger|get_logger)$/.test(first.madeBy))
    return false;
  // Constants of inner modules, and names that stand in for what a version of Python lacks, are for the package itself.
  return isRoot(module) || !(/^[A-Z][A-Z0-9_]*$/.test(name) || definitions.length > 1);
}
