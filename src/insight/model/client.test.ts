import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { closedPort, openFetch, serve } from '../../net/loopback.fixture.ts';
import type { ChatRequest } from './chat.ts';
import { createModel, type ModelSettings } from './client.ts';
import { ModelFailure } from './failure.ts';

const NOW = new Date('2024-06-01T12:00:00.000Z');
const TOOL = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
const REQUEST: ChatRequest = {
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', arguments: { at: 'it' } }] },
    { role: 'tool', toolCallId: 'c1', content: 'seen' },
  ],
  tools: [TOOL],
};

async function server(t: TestContext, status: number, answer: unknown, headers: Record<string, string> = {}) {
  const bodies: Record<string, unknown>[] = [];
  const { origin, seen } = await serve(t, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text));
    response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  return { url: `${origin}/v1/`, seen, bodies };
}

function model(url: string, more: Partial<ModelSettings> = {}) {
  const settings: ModelSettings = { provider: 'openai', url, key: 'secret', name: 'small', ...more };
  return createModel(settings, { fetch: openFetch(), clock: () => NOW });
}

describe('chat completions', () => {
  it('asks and reads text, tool calls and tokens', async (t) => {
    const call = { id: 'c2', function: { name: 'look', arguments: '{"at":"that"}' } };
    const broken = { id: 'c3', function: { name: 'look', arguments: '{at' } };
    const { url, seen, bodies } = await server(t, 200, {
      choices: [{ message: { content: 'So.', tool_calls: [call, broken] } }],
      usage: { prompt_tokens: 12, completion_tokens: 3 },
    });

    const answer = await model(url).chat(REQUEST);

    assert.deepEqual(answer, {
      text: 'So.',
      toolCalls: [
        { id: 'c2', name: 'look', arguments: { at: 'that' } },
        { id: 'c3', name: 'look', arguments: '{at' },
      ],
      inputTokens: 12,
      outputTokens: 3,
    });
    assert.equal(seen[0]?.url, '/v1/chat/completions');
    assert.equal(seen[0]?.headers.authorization, 'Bearer secret');
    assert.deepEqual(bodies[0], {
      model: 'small',
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
        },
        { role: 'tool', content: 'seen', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: TOOL }],
      tool_choice: 'auto',
    });
  });

  it('counts for a server that does not', async (t) => {
    const { url } = await server(t, 200, { choices: [{ message: { content: 'A few words.' } }] });

    const { inputTokens, outputTokens } = await model(url, { key: null }).chat(REQUEST);

    assert.ok(inputTokens > 0 && outputTokens > 0);
  });
});

it('the other protocol', async (t) => {
  const { url, seen, bodies } = await server(t, 200, {
    content: [
      { type: 'text', text: 'So.' },
      { type: 'tool_use', id: 'c2', name: 'look', input: { at: 'that' } },
      { type: 'thinking', thinking: 'hm' },
    ],
    usage: { input_tokens: 12, output_tokens: 3 },
  });

  const answer = await model(url, { provider: 'anthropic' }).chat(REQUEST);

  assert.deepEqual(answer, {
    text: 'So.',
    toolCalls: [{ id: 'c2', name: 'look', arguments: { at: 'that' } }],
    inputTokens: 12,
    outputTokens: 3,
  });
  assert.equal(seen[0]?.url, '/v1/messages');
  assert.equal(seen[0]?.headers['x-api-key'], 'secret');
  assert.deepEqual(bodies[0]?.messages, [
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'seen' }] },
  ]);
});

describe('what goes wrong', () => {
  const failure =
    (code: string, retryAt: string | null = null) =>
    (error: unknown) => {
      assert.ok(error instanceof ModelFailure);
      assert.deepEqual([error.code, error.retryAt], [code, retryAt]);
      assert.doesNotMatch(error.message, /secret|Hello|body text/);
      return true;
    };
  const cases: [name: string, status: number, answer: unknown, code: string][] = [
    ['a key that is not accepted', 401, 'body text', 'refused'],
    ['a model that nobody knows', 404, 'body text', 'refused'],
    ['a request that is not understood', 400, 'body text', 'failed'],
    ['a server that is broken', 500, 'body text', 'unreachable'],
    ['no JSON', 200, 'body text', 'malformed'],
    ['JSON of another kind', 200, { choices: [] }, 'malformed'],
  ];
  for (const [name, status, answer, code] of cases) {
    it(`${name}: ${code}`, async (t) => {
      const { url } = await server(t, status, answer);

      await assert.rejects(model(url).chat(REQUEST), failure(code));
    });
  }

  it('too many requests: throttled, with a time', async (t) => {
    const { url } = await server(t, 429, '', { 'retry-after': '30' });

    await assert.rejects(model(url).chat(REQUEST), failure('throttled', '2024-06-01T12:00:30.000Z'));
  });

  it('nobody there: unreachable', async () => {
    await assert.rejects(model(`http://127.0.0.1:${await closedPort()}`).chat(REQUEST), failure('unreachable'));
  });

  it('an address that the guard refuses: failed', async () => {
    await assert.rejects(model('http://10.0.0.1/v1').chat(REQUEST), failure('failed'));
  });

  it('a caller who gives up: aborted', async (t) => {
    const end = new AbortController();
    const { origin } = await serve(t, () => end.abort());

    await assert.rejects(model(origin).chat({ ...REQUEST, signal: end.signal }), failure('aborted'));
  });
});
