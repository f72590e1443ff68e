// `registry mcp` as a process: over standard input and output for a server and for a local database, on a port of its own,
// and the configuration that clients are given.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { as } from '../support/callers.ts';
import { forEachEngine, ROOT_KEY, SECRET } from '../support/engines.ts';
import { connectModern, type McpWorld, makeMcpWorld, wrapLegacy, wrapModern } from '../support/mcp.ts';
import { freePort, startRegistry } from '../support/registry-process.ts';
import { startService } from '../support/service.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/registry.mjs', import.meta.url));

const SURROUNDING = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

forEachEngine('registry mcp', (engine) => {
  const secrets = {
    REGISTRY_ROOT_KEY: ROOT_KEY,
    REGISTRY_SECRET: SECRET,
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_DRAIN_MS: '0',
  };

  async function world(): Promise<{ url: string; database: Record<string, string>; world: McpWorld }> {
    const database = await engine.openTestDatabase();
    const app = await engine.openTestApp({ database });
    const made = await makeMcpWorld(as(app.ctx, 'admin'));
    const { url } = await startService(app);
    return { url, database, world: made };
  }

  it('--stdio gives the tools of a server, --stdio --local those of a database, to both generations', async () => {
    const { url, database } = await world();
    const ways: [args: string[], env: Record<string, string>][] = [
      [['mcp', '--stdio', '--local'], { ...secrets, ...database }],
    ];
    // Which database the server has makes no difference to a program that asks it over HTTP.
    if (engine.name === 'sqlite') ways.push([['mcp', '--stdio'], { REGISTRY_API_URL: url }]);
    const remote = await connectModern(url);
    const expected = await remote.call('get_org', { org: 'lumen' });
    await remote.close();
    for (const [args, env] of ways) {
      const server = {
        command: process.execPath,
        args: [LAUNCHER, ...args],
        env: { ...SURROUNDING, ...env },
        stderr: 'ignore' as const,
      };
      for (const client of [
        await wrapModern(new StdioClientTransport(server)),
        await wrapLegacy(new LegacyStdio(server)),
      ]) {
        assert.equal(client.version(), 'release-registry');
        assert.equal((await client.listTools()).length, 14);
        const answer = await client.call('get_org', { org: 'lumen' });
        assert.deepEqual(answer.structured.org.slug, expected.structured.org.slug);
        assert.match((await client.call('get_org', { org: 'lumn' })).text, /Nearest names:\n- lumen /);
        await client.close();
      }
    }
  });

  it('writes nothing but protocol messages to stdout, and ends with its input', async () => {
    const database = await engine.openTestDatabase();
    const env = { ...SURROUNDING, ...secrets, REGISTRY_LOG_LEVEL: 'debug', ...database };
    const child = spawn(process.execPath, [LAUNCHER, 'mcp', '--stdio', '--local'], { env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    const send = (value: object | string) =>
      child.stdin.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send('this is no message');
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'stats', arguments: {} } });
    send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } });
    const answered = (id: number) => out.includes(`"id":${id}`);
    while (![1, 2, 3].every(answered)) await once(child.stdout, 'data');
    child.stdin.end();
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(messages.every(({ jsonrpc }) => jsonrpc === '2.0'));
    assert.equal(messages.find(({ id }) => id === 2)?.result.structuredContent.orgs, 0);
  });

  it('on a port of its own it serves the tools, its health and nothing else', async () => {
    const { database } = await world();
    const port = await freePort();
    const registry = startRegistry(['mcp', '--port', String(port)], { ...secrets, ...database });
    await registry.printed(/root key .*\n/);
    const url = `http://127.0.0.1:${port}`;
    const client = await connectModern(url);
    assert.equal((await client.call('get_org', { org: 'lumen' })).structured.org.slug, 'lumen');
    await client.close();
    assert.equal((await fetch(`${url}/health`)).status, 200);
    for (const path of ['/v1/orgs', '/', '/v1/openapi.json'])
      assert.equal((await fetch(`${url}${path}`)).status, 404, path);
    registry.child.kill('SIGTERM');
    assert.equal((await registry.ended).code, 0);
  });
});

it('mcp config prints what clients need', async () => {
  const shown = await startRegistry(['mcp', 'config', '--server', 'https://registry.example/']).ended;
  assert.equal(shown.code, 0);
  assert.match(
    shown.stdout,
    /"url": "https:\/\/registry\.example\/mcp"[\s\S]*"REGISTRY_API_URL": "https:\/\/registry\.example"/,
  );
  const json = await startRegistry(['mcp', 'config', '--json']).ended;
  const { http, stdio } = JSON.parse(json.stdout);
  assert.deepEqual(http.mcpServers['release-registry'], { type: 'http', url: 'http://localhost:8080/mcp' });
  assert.deepEqual(stdio.mcpServers['release-registry'].args, ['mcp', '--stdio']);
});

for (const args of [
  ['mcp', 'nonsense'],
  ['mcp', '--local'],
  ['mcp', 'config', '--server', 'nonsense'],
  ['mcp', '--stdio', '--server', 'ftp://x.example'],
]) {
  it(`wrong usage: registry ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await startRegistry(args).ended;
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^registry: /);
  });
}
