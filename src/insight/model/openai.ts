// Chat completions, the protocol that most servers of models speak.
import { z } from 'zod';
import type { ChatRequest, ModelMessage } from './chat.ts';
import { type Protocol, readArguments } from './protocol.ts';

const tokens = z.number().int().min(0).nullish();
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.unknown() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish(),
});

export const openai: Protocol = {
  path: 'chat/completions',
  headers: (key): Record<string, string> => (key === null ? {} : { authorization: `Bearer ${key}` }),
  body: (model, request) => ({
    model,
    temperature: 0,
    messages: [{ role: 'system', content: request.system }, ...request.messages.map(wireMessage)],
    ...wireTools(request),
  }),
  read: (answer) => {
    const parsed = completion.safeParse(answer);
    const message = parsed.data?.choices[0]?.message;
    if (!message) return null;
    return {
      text: message.content ?? '',
      toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
        id,
        name,
        arguments: readArguments(given),
      })),
      inputTokens: parsed.data?.usage?.prompt_tokens ?? null,
      outputTokens: parsed.data?.usage?.completion_tokens ?? null,
    };
  },
};

function wireMessage({ role, content, toolCalls, toolCallId }: ModelMessage): object {
  if (role === 'tool') return { role, content, tool_call_id: toolCallId ?? '' };
  if (!toolCalls?.length) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  return { role, content: content === '' ? null : content, tool_calls: calls };
}

function wireTools({ tools }: ChatRequest): object {
  if (!tools?.length) return {};
  return { tools: tools.map((tool) => ({ type: 'function', function: tool })), tool_choice: 'auto' };
}
