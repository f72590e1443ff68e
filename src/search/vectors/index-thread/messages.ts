// The messages between the index thread and the rest of the process.
import type { VectorKind } from '../../../ports.ts';
import type { NearestQuery } from '../nearest/nearest.ts';

export interface IndexSettings {
  databaseUrl: string | null;
  dataDir: string;
  // Whether an index in the database is used where there is one.
  pgvector: 'auto' | 'off';
  // Only vectors of this embedder can be compared with queries; its number of values, where it is known beforehand.
  embedder: { id: string; dims: number | null };
}

export type IndexOrder =
  | { order: 'follow'; now: string }
  | { order: 'search'; question: NearestQuery }
  | { order: 'close' };

export interface IndexState {
  // The space in use; null when there is none or it belongs to another embedder.
  space: string | null;
  dims: number | null;
  // True when nothing was ever embedded.
  untouched: boolean;
  // `complete` is false while too many of the documents that should have a vector have none yet.
  kinds: Record<VectorKind, { serves: boolean; count: number; complete: boolean }>;
}

export type Notice =
  | { state: IndexState }
  | { log: { level: 'debug' | 'info' | 'warn'; message: string; facts: Record<string, unknown> } };
