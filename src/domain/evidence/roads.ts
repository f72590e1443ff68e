// The same name told by several roads is one finding: a class of the package, of its namespace and of its default export, a
// member of twelve types. The nearest of them stands for all.
import { byCertaintyAndWeight, type Finding, type Road } from './finding.ts';

const GONE: ReadonlySet<Finding['kind']> = new Set(['export_removed', 'member_removed']);
// What an exported name is; members of types have their own type there.
export const KIND_WORDS: ReadonlySet<string> = new Set([
  'class',
  'function',
  'enum',
  'constant',
  'interface',
  'type',
  'namespace',
  'export',
]);

export function withRoads<T extends Finding>(findings: readonly T[]): T[] {
  const groups = Map.groupBy(findings, keyOf);
  return [...groups.values()].map(joined).sort(byCertaintyAndWeight);
}

function keyOf(finding: Finding): string {
  const { kind, name, subpath, certainty, was, is, text } = finding;
  const last = lastOf(name);
  // Values of package.json, entry points and commands stand for themselves.
  if (subpath === '' || kind === 'subpath_removed' || kind === 'esm_only') return JSON.stringify([kind, name, subpath]);
  if (GONE.has(kind)) {
    const isExport = kind === 'export_removed' || KIND_WORDS.has(was ?? '');
    return JSON.stringify(['gone', certainty, isExport ? was : 'member', last]);
  }
  // Signatures are the same only where both sides are.
  return JSON.stringify([kind, certainty, last, withoutName(text, name), was, is].map((one) => one ?? null));
}

function lastOf(name: string): string {
  return name.split('.').at(-1) ?? name;
}

function withoutName(text: string, name: string): string {
  return text.replaceAll(name, lastOf(name));
}

function joined<T extends Finding>(group: readonly T[]): T {
  const [first, ...others] = group.toSorted(nearestFirst) as [T, ...T[]];
  if (others.length === 0) return first;
  const roads: Road[] = others.flatMap(({ name, subpath, roads: further = [] }) => [{ name, subpath }, ...further]);
  const weight = Math.max(...group.map((one) => one.weight ?? 0));
  return { ...first, weight, roads };
}

// The shortest name at the first entry point, the default export last.
function nearestFirst(one: Finding, other: Finding): number {
  return (
    (other.weight ?? 0) - (one.weight ?? 0) ||
    one.name.split('.').length - other.name.split('.').length ||
    Number(one.name.startsWith('default')) - Number(other.name.startsWith('default')) ||
    byCertaintyAndWeight(one, other)
  );
}
