import type { ChatAnswer, ChatRequest } from './chat.ts';

// The request and answer format of one vendor; everything else is the same for all.
export interface Protocol {
  path: string;
  headers(key: string | null): Record<string, string>;
  body(model: string, request: ChatRequest): object;
  // Null for an answer that is not of this protocol; missing token counts are null.
  read(answer: unknown): (Omit<ChatAnswer, 'inputTokens' | 'outputTokens'> & TokenCounts) | null;
}

interface TokenCounts {
  inputTokens: number | null;
  outputTokens: number | null;
}

// Some protocols send arguments as text. Text that is no JSON is returned as it is, and the caller reports it.
export function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
