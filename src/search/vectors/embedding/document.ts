// Something that may have a vector, as the embedder's work sees it.
import type { WriteContext } from '../../../context.ts';
import type { VectorKind } from '../../../ports.ts';

export interface Document {
  // Null for an entity that has no key yet.
  key: number | null;
  ref: string;
  // Null when there is nothing to embed, or nobody may find it.
  text: string | null;
  tier: number;
  // What must still hold when the vector is written; otherwise it is looked at again.
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
  // Documents that were not looked at since they were written, newest first.
  fresh(space: string, limit: number): Promise<Document[]>;
  // One step of the walk, with at most `most` documents.
  walk(space: string, after: string, most: number): Promise<WalkStep>;
  // Marks documents as looked at, in the transaction that writes their vectors.
  mark(ctx: WriteContext, documents: readonly Document[]): Promise<void>;
}
