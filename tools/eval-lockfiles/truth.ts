// The rows that a project's two states should give, from its truth file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockfileRow {
  name: string;
  from: string | null;
  to: string | null;
  direct: boolean | null;
  dev: boolean | null;
  source: string;
}

interface DirectEdge extends Omit<LockfileRow, 'direct'> {
  fromName?: string;
}

interface Truth {
  lockfile: string;
  rows: LockfileRow[];
  directEdges: DirectEdge[];
}

export function readTruth(folder: string): { lockfile: string; rows: LockfileRow[] } {
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Truth;
  return { lockfile: truth.lockfile, rows: expectedRows(truth) };
}

// A direct dependency whose old or new copy stays installed elsewhere is an added or removed copy among the rows, and a
// move among the direct edges: it counts as the move.
function expectedRows({ rows, directEdges }: Truth): LockfileRow[] {
  const has = ({ name, from, to }: Pick<LockfileRow, 'name' | 'from' | 'to'>) =>
    rows.some((row) => row.name === name && row.from === from && row.to === to);
  const moves = directEdges.filter(
    (edge) => edge.from !== null && edge.to !== null && edge.fromName === undefined && !has(edge),
  );
  const isMoved = (row: LockfileRow) =>
    moves.some(
      ({ name, from, to }) =>
        row.name === name && ((row.from === null && row.to === to) || (row.to === null && row.from === from)),
    );
  return [
    ...rows.filter((row) => !isMoved(row)),
    ...moves.map(({ name, from, to, dev, source }) => ({ name, from, to, dev, source, direct: true })),
  ];
}
