// The optional model. Nothing needs it: without one, or when it fails, texts by rule stand.
export type { ChatAnswer, ChatMessage, ChatModel, ChatRequest, ChatTool, ToolCall } from './chat.ts';
export { createModel, type ModelSettings, type ModelTools } from './client.ts';
export { ModelFailure, type ModelFailureCode } from './failure.ts';
export { type Metering, meteredModel, tokensToday } from './metered.ts';
