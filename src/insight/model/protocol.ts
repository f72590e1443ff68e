import type { ChatAnswer, ChatRequest } from './chat.ts';

// What one vendor's wire looks like; everything around it is the same for all.
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

// Arguments come as text in one protocol; what is no JSON stays text, for the caller to complain about.
export function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
