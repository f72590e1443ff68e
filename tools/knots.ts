// Knots: folders beside each other, at any depth, that need each other to run. Who wants to read one has to read all of
// them. Imports of types alone do not count, because they load nothing.
import { posix } from 'node:path';
import { importsOf } from './imports.ts';

export interface Knot {
  // The folder that holds them.
  parent: string;
  folders: readonly string[];
}

// The knots that are known. A knot may lose folders, and goes from this list with its last pair; none is ever added.
export const KNOWN_KNOTS: readonly Knot[] = [
  { parent: 'src/web', folders: ['components', 'forms', 'frame', 'operator', 'pages'] },
];

interface Source {
  path: string;
  text: string;
}

// By parent folder: which of its folders loads which.
type Graph = Map<string, Set<string>>;

export function findKnots(sources: readonly Source[]): Knot[] {
  return [...graphsOf(sources)].flatMap(([parent, graph]) => circlesIn(graph).map((folders) => ({ parent, folders })));
}

// What the list of known knots does not allow, in words.
export function knotFaults(found: readonly Knot[], known: readonly Knot[]): string[] {
  const grown = found.flatMap(({ parent, folders }) => {
    const before = known.find((one) => one.parent === parent && folders.every((name) => one.folders.includes(name)));
    return before ? [] : [`${parent}: ${folders.join(', ')} load each other`];
  });
  const gone = known.flatMap(({ parent, folders }) => {
    const left = new Set(found.filter((one) => one.parent === parent).flatMap((one) => one.folders));
    const free = folders.filter((name) => !left.has(name));
    return free.length === 0 ? [] : [`${parent}: ${free.join(', ')} are no knot any more; take them from KNOWN_KNOTS`];
  });
  return [...grown, ...gone];
}

function graphsOf(sources: readonly Source[]): Map<string, Graph> {
  const graphs = new Map<string, Graph>();
  for (const { path, text } of sources) {
    for (const one of importsOf(text)) {
      if (one.isType || !one.path.startsWith('.')) continue;
      const edge = besideEachOther(path, posix.join(posix.dirname(path), one.path));
      if (edge === null) continue;
      const graph = graphs.get(edge.parent) ?? new Map<string, Set<string>>();
      graphs.set(edge.parent, graph.set(edge.from, (graph.get(edge.from) ?? new Set()).add(edge.to)));
    }
  }
  return graphs;
}

// The two folders in which the paths part; null where one of them is a file of the folder that holds both.
function besideEachOther(from: string, to: string): { parent: string; from: string; to: string } | null {
  const [a, b] = [from.split('/'), to.split('/')];
  const parting = a.findIndex((name, index) => name !== b[index]);
  if (parting < 0 || parting >= a.length - 1 || parting >= b.length - 1) return null;
  return { parent: a.slice(0, parting).join('/'), from: a[parting] ?? '', to: b[parting] ?? '' };
}

function circlesIn(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map((start) => [start, reachedFrom(graph, start)]));
  const circles = [...reach].flatMap(([start, seen]) => {
    const circle = [...seen].filter((name) => reach.get(name)?.has(start)).sort();
    return seen.has(start) && circle[0] === start ? [circle] : [];
  });
  return circles.filter((circle) => circle.length > 1);
}

export function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const next of graph.get(name) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return seen;
}
