import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NOW, type OutsideWorld, type SeenRequest, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { createModel } from '../../../insight/model/index.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import type { AdapterContext, AdapterInput, ModelPort } from '../contract.ts';
import { ROBOTS } from '../outcomes.ts';
import { type AgentOptions, createFetchAgent, fetchAgent } from './fetch-agent.ts';

const HTML = { 'content-type': 'text/html' };
const PAGE = `<main><h1>News</h1>
  <h2>Shared dashboards</h2><p>May 20, 2024</p><p>Dashboards can be shared with everybody.</p>
  <h2>Faster imports 2.1</h2><p>May 6, 2024</p><p>Imports take a third of the time.</p>
  <p><a href="/news/audit">Audit trail</a></p></main>`;

type Call = [name: string, given: unknown];

let world: OutsideWorld;
let address = '';
let made = 0;
function withWorld(): void {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    made += 1;
    address = `${world.url}/agent-${made}/news`;
    world.route(`/agent-${made}/news`, { headers: HTML, body: PAGE });
  });
}

// A server that asks for the given tools, one turn after the other, and then is done.
function scripted(turns: Call[][], { tokens = 100 } = {}): { model: ModelPort; requested: () => SeenRequest[] } {
  const path = `/llm-${made}/chat/completions`;
  let turn = 0;
  world.route(path, () => {
    const calls = (turns[turn] ?? []).map(([name, given], at) => ({
      id: `call_${turn}_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    }));
    turn += 1;
    const message = calls.length > 0 ? { content: null, tool_calls: calls } : { content: 'done' };
    return JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: tokens, completion_tokens: 5 } });
  });
  const settings = { provider: 'openai', url: `${world.url}/llm-${made}`, key: 'secret', name: 'test-model' } as const;
  const model: ModelPort = createModel(settings, { fetch: world.fetch(), clock: () => NOW });
  return { model, requested: () => world.requested(path) };
}

function input(source: Partial<SourceRow> = {}, more: Partial<AdapterInput> = {}): AdapterInput {
  return {
    source: { url: address, settings: '{}', ...source } as SourceRow,
    names: ['Acme'],
    validators: [],
    known: { guids: new Set(), urls: new Set(), count: 0 },
    firstFetch: false,
    backfill: null,
    ...more,
  };
}

const context = (model: ModelPort | null, more: Partial<AdapterContext> = {}) => world.context({ model, ...more });
const submit = (...entries: object[]): Call => [
  'submit',
  { entries: entries.map((entry) => ({ page: address, ...entry })) },
];
const DASHBOARDS = () => ({ title: 'Shared dashboards', date: 'May 20, 2024' });

// The results that the tools returned to the model, in order.
function toolResults(requests: SeenRequest[]): Record<string, unknown>[] {
  const { messages } = JSON.parse(requests.at(-1)?.body ?? '{}') as { messages: { role: string; content: string }[] };
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content));
}

describe('entries that the page confirms', () => {
  withWorld();

  it('become items with the date and text of the page', async () => {
    const content = 'Imports take a third of the time.\nThey also cook coffee.';
    const { model, requested } = scripted([
      [submit(DASHBOARDS(), { title: 'Faster imports 2.1', date: 'May 6, 2024', version: '2.1', content })],
    ]);

    const result = await fetchAgent(context(model), input());

    assert.equal(result.outcome, 'success');
    assert.deepEqual(
      result.items.map(({ title, version, publishedAt, content, url, origin }) => [
        title,
        version,
        publishedAt,
        content,
        url,
        origin,
      ]),
      [
        ['Shared dashboards', null, '2024-05-20T00:00:00.000Z', '', `${address}#shared-dashboards`, 'agent'],
        [
          'Faster imports 2.1',
          '2.1',
          '2024-05-06T00:00:00.000Z',
          'Imports take a third of the time.',
          `${address}#2-1`,
          'agent',
        ],
      ],
    );
    assert.equal(result.validators[0]?.endpoint, address);
    const [first] = requested();
    const body = JSON.parse(first?.body ?? '{}');
    assert.equal(body.temperature, 0);
    assert.equal(body.model, 'test-model');
    assert.equal(first?.headers.authorization, 'Bearer secret');
    assert.match(body.messages[1].content, /Shared dashboards/);
  });

  it('may come from pages that the model asks for', async () => {
    const url = `${world.url}/news/audit`;
    world.route('/news/audit', {
      headers: HTML,
      body: '<main><h1>Audit trail</h1><p>The trail can be exported once a day, as a file.</p></main>',
    });
    const { model, requested } = scripted([
      [['fetch', { url }]],
      [['submit', { entries: [{ page: url, title: 'Audit trail', url }] }]],
    ]);

    const result = await fetchAgent(context(model), input());

    assert.deepEqual(
      result.items.map((item) => [item.url, item.content]),
      [[url, 'The trail can be exported once a day, as a file.']],
    );
    assert.match(String(toolResults(requested())[0]?.markdown), /Audit trail/);
    const { messages } = JSON.parse(requested().at(-1)?.body ?? '{}');
    assert.deepEqual(
      messages.map(({ role }: { role: string }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    );
    assert.equal(messages[2].tool_calls[0].id, messages[3].tool_call_id);
  });
});

describe('entries that are rejected', () => {
  withWorld();

  const cases: [name: string, entry: () => object, reason: RegExp][] = [
    ['a title that the page does not hold', () => ({ title: 'Time travel' }), /title/],
    ['a date that the page does not hold', () => ({ title: 'Shared dashboards', date: 'May 21, 2024' }), /date/],
    ['a date that is none', () => ({ title: 'Shared dashboards', date: 'everybody' }), /not a date/],
    ['a page that was not read', () => ({ ...DASHBOARDS(), page: `${world.url}/other` }), /page/],
    ['an address elsewhere', () => ({ ...DASHBOARDS(), url: 'https://elsewhere.test/x' }), /url/],
    ['the address of the list itself', () => ({ ...DASHBOARDS(), url: `${address}/` }), /url/],
    ['the address of the whole site', () => ({ ...DASHBOARDS(), url: `${world.url}/` }), /url/],
    ['an entry without a title', () => ({}), /title/],
  ];
  for (const [name, entry, reason] of cases) {
    it(`${name}; all of them: malformed`, async () => {
      const { model, requested } = scripted([[submit(entry())]]);

      const result = await fetchAgent(context(model), input());

      assert.deepEqual([result.outcome, result.detail], ['malformed', 'all 1 entries rejected']);
      assert.deepEqual([result.items, result.validators], [[], []]);
      const { results } = toolResults(requested())[0] as { results: { accepted: boolean; reason: string }[] };
      assert.match(results[0]?.reason ?? '', reason);
    });
  }

  it('are counted where others pass', async () => {
    const { model } = scripted([[submit(DASHBOARDS(), { title: 'Time travel' })]]);

    const result = await fetchAgent(context(model), input());

    assert.equal(result.outcome, 'success');
    assert.deepEqual(result.notes, ['1 entries rejected']);
  });
});

describe('limits', () => {
  withWorld();

  const agent = (options: AgentOptions) => createFetchAgent(options);

  it('fetches: what was accepted stays, the hash does not', async () => {
    const { model, requested } = scripted([[['fetch', { url: `${world.url}/news/audit` }]], [submit(DASHBOARDS())]]);

    const result = await agent({ fetches: 1 })(context(model), input());

    assert.deepEqual([result.outcome, result.items.length, result.validators], ['success', 1, []]);
    assert.deepEqual(result.notes, ['stopped by the limit of fetches']);
    assert.match(String(toolResults(requested())[0]?.error), /no fetches/);
  });

  it('tokens: the model is not asked again', async () => {
    const { model, requested } = scripted([[submit(DASHBOARDS())], [submit(DASHBOARDS())]], { tokens: 500 });

    const result = await agent({ inputTokens: 500 })(context(model), input());

    assert.equal(requested().length, 1);
    assert.deepEqual([result.outcome, result.items.length, result.validators], ['success', 1, []]);
  });

  it('time: what runs is ended', async () => {
    const end = new AbortController();
    const { model } = scripted([]);
    world.route(`/llm-${made}/chat/completions`, () => {
      end.abort();
      return { hang: true };
    });

    const result = await agent({ deadline: () => end.signal })(context(model), input());

    assert.deepEqual([result.outcome, result.detail], ['timeout', 'stopped by the limit of time']);
  });

  it('hosts: no page elsewhere is read, not even by a redirect', async () => {
    world.route('/away', { status: 302, headers: { location: 'http://elsewhere.test/' } });
    const { model, requested } = scripted([
      [['fetch', { url: 'http://elsewhere.test/' }]],
      [['fetch', { url: `${world.url}/away` }]],
      [['fetch', { url: 'file:///etc/hosts' }]],
    ]);

    const result = await fetchAgent(context(model), input());

    assert.equal(result.outcome, 'empty');
    assert.deepEqual(
      toolResults(requested()).map((answer) => typeof answer.error),
      ['string', 'string', 'string'],
    );
    assert.match(String(toolResults(requested())[0]?.error), /only pages of 127\.0\.0\.1/);
  });

  it('robots: a forbidden page is not read', async () => {
    const { model, requested } = scripted([[['fetch', { url: `${world.url}/private` }]]]);

    await fetchAgent(
      context(model, { robotsFailure: async (url) => (url.endsWith('/private') ? ROBOTS : null) }),
      input(),
    );

    assert.equal(toolResults(requested())[0]?.error, 'robots');
    assert.equal(world.requested('/private').length, 0);
  });
});

describe('runs without a word of the model', () => {
  withWorld();

  it('no model: nothing is asked', async () => {
    const result = await fetchAgent(context(null), input());

    assert.deepEqual([result.outcome, result.requests], ['model_not_configured', 0]);
  });

  it('the same page as before: no_change', async () => {
    const { model, requested } = scripted([[submit(DASHBOARDS())]]);
    const first = await fetchAgent(context(model), input());

    const second = await fetchAgent(context(model), input({}, { validators: first.validators }));

    assert.equal(second.outcome, 'no_change');
    assert.equal(requested().length, 2);
  });

  const failures: [status: number, outcome: string][] = [
    [404, 'gone'],
    [403, 'blocked'],
    [429, 'throttled'],
    [500, 'unreachable'],
  ];
  for (const [status, outcome] of failures) {
    it(`the page answers ${status}: ${outcome}`, async () => {
      world.route(`/agent-${made}/news`, { status });
      const { model, requested } = scripted([]);

      assert.equal((await fetchAgent(context(model), input())).outcome, outcome);
      assert.equal(requested().length, 0);
    });
  }

  it('forbidden by robots.txt: blocked', async () => {
    const result = await fetchAgent(context(scripted([]).model, { robotsFailure: async () => ROBOTS }), input());

    assert.deepEqual([result.outcome, result.detail], ['blocked', 'robots']);
  });
});

describe('a model that fails', () => {
  withWorld();

  const failures: [name: string, status: number, outcome: string, detail: RegExp][] = [
    ['asks to wait', 429, 'throttled', /^model: throttled/],
    ['refuses the key', 401, 'error', /^model: refused: http 401$/],
    ['is broken', 500, 'error', /^model: unreachable/],
  ];
  for (const [name, status, outcome, detail] of failures) {
    it(`${name}: ${outcome}`, async () => {
      const { model } = scripted([]);
      world.route(`/llm-${made}/chat/completions`, { status, headers: status === 429 ? { 'retry-after': '60' } : {} });

      const result = await fetchAgent(context(model), input());

      assert.equal(result.outcome, outcome);
      assert.match(result.detail ?? '', detail);
      assert.equal(result.sharedBudget, outcome === 'throttled', 'no fault of the source');
      assert.deepEqual(result.validators, []);
      assert.equal(result.retryAt, status === 429 ? new Date(NOW.getTime() + 60_000).toISOString() : null);
    });
  }

  it('after it handed something over: that is kept', async () => {
    const { model } = scripted([]);
    let turn = 0;
    world.route(`/llm-${made}/chat/completions`, () => {
      turn += 1;
      if (turn > 1) return { status: 500 };
      const call = { id: 'a', function: { name: 'submit', arguments: JSON.stringify(submit(DASHBOARDS())[1]) } };
      return JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] });
    });

    const result = await fetchAgent(context(model), input());

    assert.deepEqual([result.outcome, result.items.length, result.validators], ['error', 1, []]);
  });
});
