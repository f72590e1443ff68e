// What crosses between the thread of the indexes and the rest of the process.
import type { VectorKind } from '../../../ports.ts';
import type { NearestQuery } from './nearest.ts';

export interface IndexSettings {
  databaseUrl: string | null;
  dataDir: string;
  // Only vectors of this embedder can be compared with queries; its number of values, where it is known beforehand.
  embedder: { id: string; dims: number | null };
}

export type IndexOrder =
  // `count`: also what still waits for a vector.
  { order: 'follow'; now: string; count: boolean } | { order: 'search'; question: NearestQuery } | { order: 'close' };

export interface IndexState {
  // Null while none is in use, or that of another embedder.
  space: string | null;
  dims: number | null;
  // True when nothing was ever embedded.
  untouched: boolean;
  // `pending`: how many should have a vector and have none yet, counted as far as it matters.
  kinds: Record<VectorKind, { serves: boolean; count: number; pending: number }>;
}

export type Notice =
  | { state: IndexState }
  | { log: { level: 'debug' | 'info' | 'warn'; message: string; facts: Record<string, unknown> } };
