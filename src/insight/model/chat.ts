// One turn with a model, in words that no vendor owns.
export interface ToolCall {
  id: string;
  name: string;
  // As the model wrote them: an object when it could be read, else the text.
  arguments: unknown;
}

export interface ChatMessage {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  // Of an assistant: what it asked for. Protocols want to see it again before the answers.
  toolCalls?: readonly ToolCall[];
  // Of a tool: which call this answers.
  toolCallId?: string;
}

interface ChatTool {
  name: string;
  description: string;
  parameters: object;
}

export interface ChatRequest {
  system: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  signal?: AbortSignal;
}

export interface ChatAnswer {
  text: string;
  toolCalls: ToolCall[];
  inputTokens: number;
  outputTokens: number;
}

export interface ChatModel {
  name: string;
  // Throws a `ModelFailure` and nothing else.
  chat(request: ChatRequest): Promise<ChatAnswer>;
}
