import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { closedPort, openFetch, serve } from '../../net/loopback.fixture.ts';
import { createEndpointEmbedder, type EndpointSettings } from './create-embedder.ts';
import { EmbedFailure } from './embedder.ts';

interface Call {
  model: string;
  input: string[];
}

type Answering = (call: Call, count: number) => { status?: number; body: unknown } | 'nothing';

async function endpoint(t: TestContext, answering: Answering) {
  const calls: Call[] = [];
  const { origin, seen } = await serve(t, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call = JSON.parse(text) as Call;
    calls.push(call);
    const said = answering(call, calls.length);
    if (said === 'nothing') return;
    response.writeHead(said.status ?? 200).end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
  });
  return { url: `${origin}/v1/`, calls, seen };
}

function embedder(url: string, more: Partial<EndpointSettings> = {}) {
  const settings = { url, key: 'secret', name: 'small', queryPrefix: '', documentPrefix: '', ...more };
  return createEndpointEmbedder(settings, { fetch: openFetch(), pauseMs: 1 });
}

const vectorsOf = ({ input }: Call, dims = 4) => ({
  body: {
    data: input.map((text, index) => ({ index, embedding: Array.from({ length: dims }, (_, at) => text.length + at) })),
  },
});

describe('an embeddings endpoint', () => {
  it('is asked with its name, key and prefixes, and its vectors get length one', async (t) => {
    const { url, calls, seen } = await endpoint(t, (call) => vectorsOf(call));
    const one = embedder(url, { queryPrefix: 'query: ', documentPrefix: 'passage: ' });

    const [vector] = await one.embed(['cache'], 'query');
    await one.embed(['a', 'b'], 'document');

    assert.deepEqual(calls[0], { model: 'small', input: ['query: cache'], encoding_format: 'float' });
    assert.deepEqual(calls[1]?.input, ['passage: a', 'passage: b']);
    assert.equal(seen[0]?.url, '/v1/embeddings');
    assert.equal(seen[0]?.headers.authorization, 'Bearer secret');
    assert.equal(vector?.length, 4);
    assert.ok(Math.abs(vector.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-5);
  });

  it('gets 64 texts a call, and answers in any order find their texts', async (t) => {
    const { url, calls } = await endpoint(t, (call) => {
      const { body } = vectorsOf(call);
      return { body: { data: body.data.toReversed() } };
    });
    const texts = Array.from({ length: 130 }, (_, index) => 'x'.repeat(index + 1));

    const vectors = await embedder(url).embed(texts, 'document');

    assert.deepEqual(
      calls.map(({ input }) => input.length),
      [64, 64, 2],
    );
    // The first value grows with the text.
    assert.deepEqual(
      vectors.map(([first]) => first).toSorted((a = 0, b = 0) => a - b),
      vectors.map(([first]) => first),
    );
  });

  it('is tried three times for documents and once for queries', async (t) => {
    const { url, calls } = await endpoint(t, (call, count) =>
      count < 3 ? { status: 503, body: '' } : vectorsOf(call),
    );

    await embedder(url).embed(['a'], 'document');
    assert.equal(calls.length, 3);

    const broken = await endpoint(t, () => ({ status: 503, body: '' }));
    await assert.rejects(embedder(broken.url).embed(['a'], 'query'), { code: 'unreachable' });
    assert.equal(broken.calls.length, 1);
  });
});

const uneven: Answering = () => ({ body: { data: [{ embedding: [1, 2] }, { embedding: [1] }] } });

describe('what goes wrong', () => {
  const cases: [name: string, answering: Answering, code: string][] = [
    ['a key that is not accepted', () => ({ status: 401, body: 'secret cache' }), 'refused'],
    ['too many requests', () => ({ status: 429, body: '' }), 'throttled'],
    ['a request that is not understood', () => ({ status: 400, body: 'cache' }), 'failed'],
    ['a server that is broken', () => ({ status: 500, body: '' }), 'unreachable'],
    ['no JSON', () => ({ body: 'cache' }), 'malformed'],
    ['too few vectors', () => ({ body: { data: [] } }), 'malformed'],
    ['no numbers', () => ({ body: { data: [{ embedding: ['a'] }, { embedding: ['b'] }] } }), 'malformed'],
    ['only zeros', () => ({ body: { data: [{ embedding: [0, 0] }, { embedding: [0, 0] }] } }), 'malformed'],
    ['vectors of different lengths', uneven, 'malformed'],
    ['no answer in time', () => 'nothing', 'timeout'],
  ];
  for (const [name, answering, code] of cases) {
    it(`${name}: ${code}`, async (t) => {
      const { url } = await endpoint(t, answering);

      await assert.rejects(embedder(url).embed(['cache', 'more'], 'query'), (error) => {
        assert.ok(error instanceof EmbedFailure);
        assert.equal(error.code, code);
        assert.doesNotMatch(error.message, /secret|cache/);
        return true;
      });
    });
  }

  it('nobody there: unreachable', async () => {
    await assert.rejects(embedder(`http://127.0.0.1:${await closedPort()}`).embed(['a'], 'query'), {
      code: 'unreachable',
    });
  });
});
