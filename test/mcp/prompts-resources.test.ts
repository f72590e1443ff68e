// Prompts, and what the registry holds as resources with completion.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { App } from '../../src/app.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { HOSTILE, type McpWorld, makeMcpWorld } from '../support/mcp.ts';
import { startService } from '../support/service.ts';

forEachEngine('MCP prompts and resources', (engine) => {
  let app: App;
  let world: McpWorld;
  let client: Client;

  before(async () => {
    app = await engine.openTestApp({ clock: movableClock('2026-02-01T00:00:00.000Z') });
    world = await makeMcpWorld(as(app.ctx, 'admin'), 'marble');
    const service = await startService(app);
    client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url)));
  });

  const promptText = async (name: string, args: Record<string, string>) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    return (messages.map(({ content }) => content) as { text: string }[]).map(({ text }) => text).join('');
  };

  it('prompts name the tools and fence what is pasted', async () => {
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['upgrade', 'whats_new'],
    );
    assert.match(
      await promptText('upgrade', { package: 'zod', from: '3.0.0' }),
      /whats_changed .* zod from 3\.0\.0 to latest/,
    );
    assert.match(await promptText('upgrade', { lockfile: HOSTILE }), /check_upgrades[\s\S]*`{6}quoted\nFine\./);
    assert.match(await promptText('upgrade', {}), /check_upgrades/);
    assert.match(
      await promptText('whats_new', { org: 'marble', since: '7d' }),
      /latest_releases with org marble and since 7d/,
    );
    await assert.rejects(promptText('nothing', {}), /unknown prompt/);
    await assert.rejects(promptText('upgrade', { other: 'x' }), /takes package, from, to, lockfile/);
  });

  it('every template is read as the text of its tool', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      [
        'registry://org/{org}',
        'registry://product/{org}/{product}',
        'registry://source/{org}/{source}',
        'registry://release/{release}',
        'registry://collection/{collection}',
      ],
    );
    assert.deepEqual((await client.listResources()).resources, []);
    const uris = [
      `registry://org/${world.org}`,
      `registry://product/${world.product}`,
      `registry://source/${world.source}`,
      `registry://release/${world.hostileId}`,
      `registry://collection/${world.collection}`,
    ];
    for (const uri of uris) {
      const [content] = (await client.readResource({ uri })).contents as {
        uri: string;
        mimeType: string;
        text: string;
      }[];
      assert.deepEqual([content?.uri, content?.mimeType], [uri, 'text/markdown']);
      assert.match(content?.text ?? '', /^# /, uri);
    }
    for (const uri of [
      'registry://org/nobody-here',
      'registry://other/x',
      'file:///etc/passwd',
      'registry://org/%ff',
      'registry://org/a/b',
    ]) {
      await assert.rejects(client.readResource({ uri }), uri);
    }
  });

  it('completes names of templates and prompts', async () => {
    const complete = async (
      uri: string,
      argument: { name: string; value: string },
      others: Record<string, string> = {},
    ) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument, context: { arguments: others } }))
        .completion.values;
    assert.deepEqual(await complete('registry://org/{org}', { name: 'org', value: 'mar' }), [world.org]);
    assert.deepEqual(
      await complete('registry://product/{org}/{product}', { name: 'product', value: 'e' }, { org: world.org }),
      ['engine'],
    );
    assert.deepEqual(
      await complete('registry://source/{org}/{source}', { name: 'source', value: '' }, { org: world.org }),
      ['engine'],
    );
    assert.deepEqual(await complete('registry://collection/{collection}', { name: 'collection', value: 'marble' }), [
      world.collection,
    ]);
    assert.ok((await complete('registry://release/{release}', { name: 'release', value: 'rel_' })).length > 5);
    const prompt = { type: 'ref/prompt' as const, name: 'whats_new' };
    const products = await client.complete({ ref: prompt, argument: { name: 'product', value: `${world.org}/` } });
    assert.deepEqual(products.completion.values, [world.product]);
    const nothing = await client.complete({ ref: prompt, argument: { name: 'constructor', value: 'x' } });
    assert.deepEqual(nothing.completion.values, []);
  });
});
