// The interface of embedders, which turn texts into vectors.
export type EmbedKind = 'query' | 'document';

export interface Embedder {
  // The id is part of the name of the space, because vectors of different embedders cannot be compared.
  id: string;
  // Null when the number of dimensions is known only from the first answer.
  dims: number | null;
  // The weight of its retrievers in the fusion.
  weight: number;
  // How many texts one call may hold.
  batch: number;
  // One vector of length one for each text. Throws an `EmbedFailure` and nothing else.
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]>;
}

type EmbedFailureCode = 'timeout' | 'unreachable' | 'throttled' | 'refused' | 'malformed' | 'failed' | 'aborted';

// The only error that embedders throw; its message holds neither text nor key.
export class EmbedFailure extends Error {
  readonly code: EmbedFailureCode;

  constructor(code: EmbedFailureCode, detail: string) {
    super(detail);
    this.name = 'EmbedFailure';
    this.code = code;
  }
}
