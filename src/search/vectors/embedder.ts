// What turns texts into vectors. Everything else knows an embedder by this shape alone.
export type EmbedKind = 'query' | 'document';

export interface Embedder {
  // Part of the name of the space: another embedder's vectors cannot be compared with its own.
  id: string;
  // Null where only an answer shows it.
  dims: number | null;
  // What its retrievers count in the fusion.
  weight: number;
  // How many texts one call may hold.
  batch: number;
  // One vector of length one for each text. Throws an `EmbedFailure` and nothing else.
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]>;
}

type EmbedFailureCode = 'timeout' | 'unreachable' | 'throttled' | 'refused' | 'malformed' | 'failed' | 'aborted';

// The one way in which embedding goes wrong; its message holds neither text nor key.
export class EmbedFailure extends Error {
  readonly code: EmbedFailureCode;

  constructor(code: EmbedFailureCode, detail: string) {
    super(detail);
    this.name = 'EmbedFailure';
    this.code = code;
  }
}
