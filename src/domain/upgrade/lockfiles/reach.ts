// Which copies only development or only optional dependencies need, found by following the dependencies from the project.
import type { LockedPackage } from './types.ts';

export interface LockedNode {
  locked: LockedPackage;
  needs: { node: string; optional: boolean }[];
}

interface Root {
  node: string;
  // Null when the file does not tell development apart.
  dev: boolean | null;
  optional: boolean;
}

// Sets `dev` and `optional` of every copy that a node stands for. Where one root does not tell, nobody knows.
export function markReach(nodes: ReadonlyMap<string, LockedNode>, roots: readonly Root[]): void {
  const all = reached(nodes, roots, () => true);
  const firm = reached(
    nodes,
    roots.filter(({ optional }) => !optional),
    ({ optional }) => !optional,
  );
  const isTold = roots.every(({ dev }) => dev !== null);
  const inUse = reached(
    nodes,
    roots.filter(({ dev }) => dev !== true),
    () => true,
  );
  // A copy is several nodes where its peers differ, so it is needed as soon as one of them is.
  const needed = new Map<LockedPackage, { dev: boolean; optional: boolean }>();
  for (const key of all) {
    const locked = nodes.get(key)?.locked;
    if (!locked) continue;
    const known = needed.get(locked) ?? { dev: true, optional: true };
    needed.set(locked, { dev: known.dev && !inUse.has(key), optional: known.optional && !firm.has(key) });
  }
  // What nothing leads to is no part of development either.
  for (const { locked } of nodes.values()) {
    const { dev, optional } = needed.get(locked) ?? { dev: false, optional: false };
    locked.dev = isTold ? dev : null;
    locked.optional = optional;
  }
}

function reached(
  nodes: ReadonlyMap<string, LockedNode>,
  roots: readonly Root[],
  follows: (need: { optional: boolean }) => boolean,
): Set<string> {
  const seen = new Set(roots.map(({ node }) => node));
  // A set also yields what is added while it is walked.
  for (const key of seen) {
    for (const need of nodes.get(key)?.needs ?? []) if (follows(need)) seen.add(need.node);
  }
  return seen;
}
