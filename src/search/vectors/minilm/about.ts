// Known without loading anything.
export const MINILM = {
  id: 'minilm-l6-v2',
  dims: 384,
  /** Longer texts are cut. The cost of a text grows with its tokens, and the second half of a long one adds little. */
  maxTokens: 128,
} as const;
