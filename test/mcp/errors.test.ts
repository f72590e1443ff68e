// An error that a model can correct is a result that says how; any other is a protocol error without details.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { ANONYMOUS } from '../../src/contract/caller.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createLocalApis } from '../../src/mcp/local-api.ts';
import { createRemoteApi } from '../../src/mcp/remote-api.ts';
import { runTool } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource } from '../support/factories.ts';
import {
  connectLegacy,
  connectModern,
  exampleCalls,
  type McpClient,
  type McpWorld,
  makeMcpWorld,
} from '../support/mcp.ts';
import { type Service, startService } from '../support/service.ts';

forEachEngine('MCP corrections', (engine) => {
  let app: App;
  let world: McpWorld;
  let service: Service;
  let clients: McpClient[];

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    const ctx = as(app.ctx, 'admin');
    world = await makeMcpWorld(ctx, 'quarry');
    for (const slug of ['twin-a', 'twin-b']) {
      const org = await createOrg(ctx, { name: slug, slug });
      await createProduct(ctx, org.id, { name: 'Shared', slug: 'shared' });
      await createSource(ctx, { name: 'Shared', slug: 'shared', orgId: org.id });
    }
    service = await startService(app);
    clients = [await connectModern(service.url), await connectLegacy(service.url)];
  });

  const cases: [name: string, tool: string, args: Record<string, unknown>, reported: RegExp][] = [
    [
      'an unknown org',
      'get_org',
      { org: 'quary' },
      /org not found: quary\.\nNearest names:\n- quarry \(quarry labs, org_\w{21}\)/,
    ],
    ['an unknown org of a search', 'search', { query: 'x', org: 'quary' }, /Nearest names:\n- quarry /],
    [
      'an unknown org of a path',
      'get_source',
      { source: 'quary/engine' },
      /org not found: quary\.\nNearest names:\n- quarry /,
    ],
    [
      'an unknown product',
      'get_product',
      { product: 'quarry/engin' },
      /product not found: engin\.\nNearest names:\n- quarry\/engine \(quarry engine, prod_\w{21}\)/,
    ],
    [
      'an unknown source',
      'latest_releases',
      { source: 'engne' },
      /source not found: engne\.\nNearest names:\n- quarry\/engine /,
    ],
    [
      'an unknown collection',
      'get_collection_releases',
      { collection: 'engine' },
      /collection not found: engine\.\nNearest names:\n- quarry-engines /,
    ],
    [
      'an unknown release',
      'get_release',
      { release: 'rel_000000000000000000000' },
      /release not found[\s\S]*latest_releases tell the ids/,
    ],
    [
      'something that is no release',
      'get_release',
      { release: '1.2.3' },
      /release: must be a rel_ id, the address .* or org\/source@version/,
    ],
    [
      'an unknown file',
      'get_changelog',
      { source: 'quarry/engine', path: 'NO.md' },
      /get_source lists the changelog files/,
    ],
    [
      'an ambiguous source',
      'get_source',
      { source: 'shared' },
      /several sources have the slug shared\.\nUse one of these instead:\n- twin-a\/shared \(src_\w{21}\)\n- twin-b\/shared/,
    ],
    [
      'an ambiguous product',
      'get_product',
      { product: 'shared' },
      /Use one of these instead:\n- twin-a\/shared \(prod_/,
    ],
    [
      'a bad date',
      'latest_releases',
      { since: '2026-02-30' },
      /since: must be a span such as 7d, 2w, 3m or 1y, a date/,
    ],
    [
      'a window that ends before it begins',
      'search',
      { query: 'x', since: '2026-02-01', until: '2026-01-01' },
      /since: must not be later than until/,
    ],
    ['a range backwards', 'whats_changed', { package: 'engine', from: '1.9.0', to: '1.2.0' }, /Error: .*(from|to)/],
    ['a bad cursor', 'latest_releases', { cursor: 'nonsense' }, /Error: .*cursor/],
    ['an unknown field', 'stats', { dayz: 3 }, /dayz: unknown argument; the arguments are days, max_tokens/],
    [
      'a value outside of its set',
      'list_orgs',
      { category: 'music' },
      /category: must be one of ai, cloud, .*, not "music"/,
    ],
    ['a missing argument', 'search', {}, /query: is required/],
    ['a value of the wrong type', 'search', { query: 'x', limit: '10' }, /limit: must be a number, not "10"\./],
    ['a budget outside of its bounds', 'stats', { max_tokens: 10 }, /max_tokens: must be at least 500, not 10/],
    [
      'two scopes at once',
      'latest_releases',
      { org: 'quarry', source: 'quarry/engine' },
      /at most one of org, product and source/,
    ],
    ['an offset behind the end', 'get_release', { release: 'rel', content_offset: 1 }, /release: must be/],
    [
      'an offset behind the end of a changelog',
      'get_changelog',
      { source: 'quarry/engine', offset: 9_999_999 },
      /offset: the file CHANGELOG\.md ends at character \d+/,
    ],
    ['a NUL character', 'get_org', { org: 'a\0b' }, /must not contain a NUL/],
  ];
  for (const [name, tool, args, reported] of cases) {
    it(`${name}: ${tool}`, async () => {
      for (const client of clients) {
        const { isError, text, structured } = await client.call(tool, args);
        assert.equal(isError, true, text);
        assert.match(text, reported);
        assert.equal(structured, undefined);
      }
    });
  }

  it('an unknown tool is a protocol error', async () => {
    for (const client of clients) await assert.rejects(client.call('no_such_tool'), /unknown tool: no_such_tool/);
  });

  it('hidden entities are unknown to everybody without the scope to see them', async () => {
    const ctx = as(app.ctx, 'admin');
    await createOrg(ctx, { name: 'Secret', slug: 'secret-org', isHidden: true });
    const [client] = clients;
    assert.match((await client?.call('get_org', { org: 'secret-org' }))?.text ?? '', /org not found/);
    assert.doesNotMatch((await client?.call('get_org', { org: 'secret-orgs' }))?.text ?? '', /Secret/);
  });

  it('over HTTP the tools give the same results and corrections', async () => {
    const local = createLocalApis(app.ctx, ROUTES)(ANONYMOUS);
    const remote = createRemoteApi({ server: service.url });
    const { log } = app.ctx;
    const calls: [string, Record<string, unknown>][] = [
      ...Object.entries(exampleCalls(world)),
      ['get_org', { org: 'quary' }],
      ['get_source', { source: 'shared' }],
      ['latest_releases', { since: 'x' }],
    ];
    for (const [name, args] of calls) {
      const tool = TOOLS.find((one) => one.name === name);
      assert.ok(tool);
      const [here, there] = [
        await runTool({ api: local, log }, tool, args),
        await runTool({ api: remote, log }, tool, args),
      ];
      assert.deepEqual(there, here, name);
    }
  });

  it('a server that refuses for a while is told with the seconds to wait', async () => {
    const fetch = async () =>
      Response.json(
        { error: { code: 'rate_limited', message: 'too many' } },
        { status: 429, headers: { 'Retry-After': '42' } },
      );
    const tool = TOOLS.find(({ name }) => name === 'stats');
    assert.ok(tool);
    const outcome = await runTool(
      { api: createRemoteApi({ server: 'http://x.example', fetch }), log: app.ctx.log },
      tool,
      {},
    );
    assert.deepEqual(outcome, { kind: 'correction', text: 'Error: too many. Wait 42 seconds before the next call.' });
  });

  it('a fault of the service shows an id and nothing else', async () => {
    const logged: object[] = [];
    const log = { error: (fields: object) => logged.push(fields) } as unknown as typeof app.ctx.log;
    const fails = () => Promise.reject(new Error('secret of the database'));
    const api = { get: fails, send: fails };
    const tool = TOOLS.find(({ name }) => name === 'stats');
    assert.ok(tool);
    const outcome = await runTool({ api, log }, tool, {});
    assert.equal(outcome.kind, 'fault');
    assert.equal(JSON.stringify(outcome).includes('secret'), false);
    assert.equal((logged[0] as { errorId: string }).errorId, (outcome as { errorId: string }).errorId);
  });

  it('a call that takes too long ends with advice', async () => {
    const hangs = () => new Promise<never>(() => {});
    const api = { get: hangs, send: hangs };
    const tool = TOOLS.find(({ name }) => name === 'stats');
    assert.ok(tool);
    const outcome = await runTool({ api, log: app.ctx.log, timeoutMs: 1 }, tool, {});
    assert.match((outcome as { text: string }).text, /took longer than 0\.001 s and was ended; ask for less at once/);
  });
});
