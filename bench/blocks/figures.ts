import type { Figure } from '../figures.ts';
import type { LongestTurn } from './event-loop.ts';

const LIMIT_MS = 50;

export interface Block extends LongestTurn {
  // Of which document or request.
  kind: string;
}

// The worst of the blocks of one name.
export function blockFigures(name: string, blocks: readonly Block[]): Figure {
  const ranked = blocks.toSorted((a, b) => b.ms - a.ms);
  const worst = ranked[0] ?? { ms: 0, clockMs: 0, kind: '' };
  const over = ranked.filter(({ ms }) => ms > LIMIT_MS).map(({ ms, kind }) => `${kind} (${ms.toFixed(1)} ms)`);
  return {
    name: `longest block by ${name}`,
    value: worst.ms,
    unit: 'ms',
    target: `at most ${LIMIT_MS} ms of processor time`,
    holds: worst.ms <= LIMIT_MS,
    detail: `worst of ${blocks.length} kinds: ${over.length > 1 ? over.join(', ') : worst.kind}; ${worst.clockMs.toFixed(0)} ms by the clock`,
  };
}
