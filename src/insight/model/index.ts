// The optional model. Nothing needs it: without one, or when it fails, texts by rule stand.
export type { ChatModel, ModelMessage, ModelToolCall } from './chat.ts';
export { createModel } from './client.ts';
export { ModelFailure } from './failure.ts';
export { meteredModel } from './metered.ts';
