// Something that may have a vector, as the embedder's work sees it.
import type { WriteContext } from '../../../context.ts';
import type { VectorKind } from '../../../ports.ts';

export interface Document {
  // Null for an entity that has no number yet.
  key: number | null;
  ref: string;
  // Null when there is nothing to embed, or nobody may find it.
  text: string | null;
  tier: number;
  // What must still hold when the vector is written; otherwise it is looked at again.
  updatedAt: string;
}

// One step of a walk around all things of a kind.
export interface WalkStep {
  // Those whose vector is missing, outdated or not wanted any more.
  documents: Document[];
  // Numbers of vectors whose things are gone.
  strays: number[];
  // Where to go on; null at the end.
  next: string | null;
}

export interface DocumentSource {
  kind: VectorKind;
  // Things that nobody has looked at since they were written, newest first.
  fresh(space: string, limit: number): Promise<Document[]>;
  // At most so many documents.
  walk(space: string, after: string, most: number): Promise<WalkStep>;
  // In the transaction that writes their vectors: they have been looked at.
  mark(ctx: WriteContext, documents: readonly Document[]): Promise<void>;
}
