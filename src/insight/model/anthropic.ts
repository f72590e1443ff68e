// The messages protocol: tool calls and their results are parts of messages.
import { z } from 'zod';
import type { ChatRequest, ModelMessage } from './chat.ts';
import { type Protocol, readArguments } from './protocol.ts';

const MAX_OUTPUT = 8_192;
const VERSION = '2023-06-01';

const tokens = z.number().int().min(0).nullish();
const message = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
      z.object({ type: z.string() }),
    ]),
  ),
  usage: z.object({ input_tokens: tokens, output_tokens: tokens }).nullish(),
});

export const anthropic: Protocol = {
  path: 'messages',
  headers: (key) => ({ 'anthropic-version': VERSION, ...(key === null ? {} : { 'x-api-key': key }) }),
  body: (model, request) => ({
    model,
    temperature: 0,
    max_tokens: MAX_OUTPUT,
    system: request.system,
    messages: joined(request.messages),
    ...(request.tools?.length ? { tools: request.tools.map(wireTool) } : {}),
  }),
  read: (answer) => {
    const parsed = message.safeParse(answer);
    if (!parsed.success) return null;
    const { content, usage } = parsed.data;
    return {
      text: content.flatMap((part) => ('text' in part ? part.text : [])).join(''),
      toolCalls: content.flatMap((part) =>
        'input' in part ? { id: part.id, name: part.name, arguments: readArguments(part.input) } : [],
      ),
      inputTokens: usage?.input_tokens ?? null,
      outputTokens: usage?.output_tokens ?? null,
    };
  },
};

// Joins neighbouring messages of one role, as the protocol requires for several tool results.
function joined(messages: readonly ModelMessage[]): object[] {
  const turns: { role: 'user' | 'assistant'; content: object[] }[] = [];
  for (const one of messages) {
    const role = one.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...parts(one));
    else turns.push({ role, content: parts(one) });
  }
  return turns;
}

function parts({ role, content, toolCalls = [], toolCallId }: ModelMessage): object[] {
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: toolCallId ?? '', content }];
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }));
  return [...(content === '' ? [] : [{ type: 'text', text: content }]), ...calls];
}

function wireTool({ name, description, parameters }: NonNullable<ChatRequest['tools']>[number]): object {
  return { name, description, input_schema: parameters };
}
