// The optional model. Nothing depends on it: without one, or when it fails, texts made by rule are used.
export type { ChatModel, ModelMessage, ModelToolCall } from './chat.ts';
export { createModel } from './client.ts';
export { ModelFailure } from './failure.ts';
export { meteredModel } from './metered.ts';
