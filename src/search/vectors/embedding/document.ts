// A document that may have a vector.
import type { WriteContext } from '../../../context.ts';
import type { VectorKind } from '../../../ports.ts';

export interface Document {
  // Null for an entity that has no key yet.
  key: number | null;
  ref: string;
  // Null when there is nothing to embed or the document is not visible.
  text: string | null;
  tier: number;
  // If this has changed when the vector is written, the document is processed again.
  updatedAt: string;
}

// One step of a walk over all documents of a kind.
export interface WalkStep {
  // Documents whose vector is missing, outdated or to be removed.
  documents: Document[];
  // Keys of vectors whose document no longer exists.
  strays: number[];
  // The cursor of the next step; null at the end.
  next: string | null;
}

export interface DocumentSource {
  kind: VectorKind;
  // Documents that were not processed since they were written, newest first.
  fresh(space: string, limit: number): Promise<Document[]>;
  // One step of the walk, with at most `most` documents.
  walk(space: string, after: string, most: number): Promise<WalkStep>;
  // Marks documents as processed, in the transaction that writes their vectors.
  mark(ctx: WriteContext, documents: readonly Document[]): Promise<void>;
}
