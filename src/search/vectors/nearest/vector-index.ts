// What the thread needs of the index of one kind, wherever its vectors are.
import type { NeighbourIndex } from './nearest.ts';

// An index with so much of its table answers.
export const SERVES_FROM = 0.9;

export interface VectorIndex extends NeighbourIndex {
  // Whether it has so much of the table that its answers are worth having.
  readonly serves: boolean;
  // How many vectors of the table it lacks; it may be counted up to a tenth of the index.
  readonly missing: number;
  // Applies what was written to the table since, or finds out how far the index is.
  follow(now: Date): Promise<void>;
  stop(): void;
}
