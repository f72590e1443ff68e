// POST /mcp as a transport: methods, sizes, origins, credentials, limits, and both protocol generations on one path.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { createToken } from '../../src/accounts/tokens.ts';
import type { App } from '../../src/app.ts';
import { INSTRUCTIONS } from '../../src/mcp/server.ts';
import { as } from '../support/callers.ts';
import type { Client } from '../support/client.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const MODERN = '2026-07-28';
const ACCEPT = { Accept: 'application/json, text/event-stream' };

function message(method: string, params: object = {}, id = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

function modern(method: string, params: object = {}, version = MODERN) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { ...ACCEPT, 'MCP-Protocol-Version': version, 'Mcp-Method': method };
  return { body: message(method, { ...params, _meta: meta }), headers };
}

function initialize(protocolVersion: string) {
  return message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
}

// The older generation gets an event stream of one message.
function eventData(text: string) {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
}

forEachEngine('POST /mcp', (engine) => {
  let app: App;
  let service: Service;
  let client: Client;
  const clock = movableClock('2026-02-01T00:00:00.000Z');

  before(async () => {
    app = await engine.openTestApp({
      clock,
      env: {
        REGISTRY_BASE_URL: 'https://registry.example',
        REGISTRY_TRUSTED_ORIGINS: 'https://trusted.example',
        REGISTRY_RATE_PUBLIC: '20',
        REGISTRY_RATE_TOKEN: '40',
      },
    });
    service = await startService(app);
    client = service.anonymous;
  });

  // Every test uses a rate limit window of its own.
  const nextMinute = () => clock.move(61_000);
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    client.post('/mcp', body, { ...ACCEPT, ...headers });
  const modernPost = ({ body, headers }: ReturnType<typeof modern>, more = {}) =>
    client.post('/mcp', body, { ...headers, ...more });

  it('405 with Allow: POST for GET and DELETE', async () => {
    nextMinute();
    for (const method of ['GET', 'DELETE']) {
      const answer = await client.request(method, '/mcp');
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'POST');
    }
  });

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    it(`the handshake of ${version} needs no session`, async () => {
      nextMinute();
      const answer = await post(initialize(version));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('mcp-session-id'), null);
      const { result } = eventData(answer.text);
      assert.equal(result.protocolVersion, version);
      assert.deepEqual(result.capabilities, { tools: {}, prompts: {}, resources: {}, completions: {} });
      assert.deepEqual(result.serverInfo, { name: 'release-registry', version: '0.0.0-test' });
      const list = await post(message('tools/list'), { 'MCP-Protocol-Version': version });
      assert.equal(eventData(list.text).result.tools.length, 20);
    });
  }

  it('server/discover tells versions, capabilities and instructions', async () => {
    nextMinute();
    const { status, body } = await modernPost(modern('server/discover'));
    assert.equal(status, 200);
    assert.deepEqual(body.result.supportedVersions, [MODERN]);
    assert.deepEqual(body.result.capabilities, { tools: {}, prompts: {}, resources: {}, completions: {} });
    assert.equal(body.result.resultType, 'complete');
    assert.equal(body.result.instructions, INSTRUCTIONS);
    assert.ok(INSTRUCTIONS.length <= 1200, `${INSTRUCTIONS.length} characters`);
  });

  it('lists may be cached by everybody for an hour', async () => {
    nextMinute();
    const { body } = await modernPost(modern('tools/list'));
    assert.deepEqual(
      [body.result.ttlMs, body.result.cacheScope, body.result.resultType],
      [3_600_000, 'public', 'complete'],
    );
  });

  it('400 with -32020 where headers and body disagree', async () => {
    nextMinute();
    const call = modern('tools/call', { name: 'stats', arguments: {} });
    const wrongName = await modernPost(call, { 'Mcp-Name': 'search' });
    assert.deepEqual([wrongName.status, wrongName.body.error.code], [400, -32020]);
    const wrongMethod = await modernPost(call, { 'Mcp-Name': 'stats', 'Mcp-Method': 'tools/list' });
    assert.deepEqual([wrongMethod.status, wrongMethod.body.error.code], [400, -32020]);
    const wrongVersion = await modernPost(call, { 'Mcp-Name': 'stats', 'MCP-Protocol-Version': '2025-06-18' });
    assert.deepEqual([wrongVersion.status, wrongVersion.body.error.code], [400, -32020]);
    const right = await modernPost(call, { 'Mcp-Name': 'stats' });
    assert.equal(right.status, 200, right.text);
  });

  it('400 with -32022 and the supported list for an unknown version', async () => {
    nextMinute();
    const { status, body } = await modernPost(modern('server/discover', {}, '2099-01-01'));
    assert.deepEqual([status, body.error.code], [400, -32022]);
    assert.ok(body.error.data.supported.includes(MODERN));
  });

  it('no subscriptions', async () => {
    nextMinute();
    const { body } = await modernPost(modern('subscriptions/listen', { notifications: {} }));
    assert.ok(body.error.code <= -32600);
  });

  it('malformed JSON is a parse error', async () => {
    nextMinute();
    const { status, body } = await post('{"jsonrpc": ');
    assert.deepEqual([status, body.error.code], [400, -32700]);
  });

  it('413 for more than 256 kB, 400 for JSON that is nested too deep', async () => {
    nextMinute();
    const large = await post(JSON.stringify({ ...message('ping'), pad: 'x'.repeat(256 * 1024) }));
    assert.deepEqual([large.status, large.body.error.code], [413, 'payload_too_large']);
    const deep = await post(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    assert.deepEqual([deep.status, deep.body.error.code], [400, -32700]);
  });

  it('403 for a page that is not trusted, and none for those that are', async () => {
    nextMinute();
    const foreign = await modernPost(modern('server/discover'), { Origin: 'https://evil.example' });
    assert.deepEqual([foreign.status, foreign.body.error.details], [403, { reason: 'origin' }]);
    for (const origin of ['https://registry.example', 'https://trusted.example']) {
      assert.equal((await modernPost(modern('server/discover'), { Origin: origin })).status, 200, origin);
    }
  });

  it('401 tells where a credential comes from', async () => {
    nextMinute();
    for (const value of [
      'Bearer relk_000000000000_00000000000000000000000000000000',
      'Bearer nonsense',
      'Basic eDp5',
    ]) {
      const { status, headers } = await modernPost(modern('server/discover'), { Authorization: value });
      assert.equal(status, 401, value);
      const challenge = headers.get('www-authenticate') ?? '';
      assert.match(challenge, /^Bearer .*error="invalid_token"/);
      const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      assert.equal(metadata, 'https://registry.example/.well-known/oauth-protected-resource/mcp');
      const document = await client.get(new URL(metadata).pathname);
      assert.equal(document.body.resource, 'https://registry.example/mcp');
    }
  });

  it('a machine token raises the tier', async () => {
    nextMinute();
    const anonymous = await modernPost(modern('tools/list'));
    assert.match(anonymous.headers.get('ratelimit-policy') ?? '', /^"public";q=20;w=60$/);
    const { token } = await createToken(as(app.ctx, 'admin'), { name: 'agent', scopes: ['read'] });
    const known = await modernPost(modern('tools/list'), { Authorization: `Bearer ${token}` });
    assert.match(known.headers.get('ratelimit-policy') ?? '', /^"token";q=40;w=60$/);
    assert.equal(known.status, 200);
  });

  it('a call beyond the limit is a result that says how long to wait, every other message 429', async () => {
    nextMinute();
    const call = modern('tools/call', { name: 'stats', arguments: {} });
    const named = { 'Mcp-Name': 'stats' };
    for (let calls = 0; calls < 20; calls += 1) assert.equal((await modernPost(call, named)).status, 200);
    const reported = await modernPost(call, named);
    assert.equal(reported.status, 200);
    assert.equal(reported.body.result.isError, true);
    assert.match(reported.body.result.content[0].text, /Wait \d+ seconds before the next call\./);
    const refused = await modernPost(modern('tools/list', {}));
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    nextMinute();
    assert.equal((await modernPost(call, named)).status, 200);
  });

  it('every message of a batch counts', async () => {
    nextMinute();
    const batch = Array.from({ length: 21 }, (_, index) => message('ping', {}, index));
    const { status } = await post(batch);
    assert.equal(status, 429);
    nextMinute();
    const small = await post(batch.slice(0, 2), { 'MCP-Protocol-Version': '2025-03-26' });
    assert.match(small.headers.get('ratelimit') ?? '', /^"public";r=18;/);
  });

  it('a batch of more than 100 messages is refused as a whole', async () => {
    const pings = (length: number) => Array.from({ length }, (_, index) => message('ping', {}, index));
    const headers = { ...ACCEPT, 'MCP-Protocol-Version': '2025-03-26' };
    const refused = await service.root.post('/mcp', pings(101), headers);
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'bad_request']);
    assert.equal(
      refused.body.error.message,
      'body: a batch has at most 100 messages, this one has 101: send it in parts',
    );
    assert.equal((await service.root.post('/mcp', pings(100), headers)).status, 200);
  });
});
