// Known without loading anything.
export const MINILM = { id: 'minilm-l6-v2', dims: 384 } as const;
