// One turn with a model, independent of the vendor.
export interface ModelToolCall {
  id: string;
  name: string;
  // The arguments that the model wrote: an object when they are valid JSON, else the text.
  arguments: unknown;
}

export interface ModelMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  // Calls that an assistant message asked for. Protocols want them repeated before the results.
  toolCalls?: readonly ModelToolCall[];
  // The call that a tool message answers.
  toolCallId?: string;
}

interface ChatTool {
  name: string;
  description: string;
  parameters: object;
}

export interface ChatRequest {
  system: string;
  messages: ModelMessage[];
  tools?: ChatTool[];
  signal?: AbortSignal;
}

export interface ChatAnswer {
  text: string;
  toolCalls: ModelToolCall[];
  inputTokens: number;
  outputTokens: number;
}

export interface ChatModel {
  name: string;
  // Throws a `ModelFailure` and nothing else.
  chat(request: ChatRequest): Promise<ChatAnswer>;
}
