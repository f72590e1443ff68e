// `registry mcp` as a process: over standard input and output for a server and for a local database, on a port, and the
// configuration for clients.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { as } from '../support/callers.ts';
import { forEachEngine, ROOT_KEY, SECRET } from '../support/engines.ts';
import { connectModern, type McpClient, makeMcpWorld, wrapLegacy, wrapModern } from '../support/mcp.ts';
import { LAUNCHER, NODE_FLAGS } from '../support/program.ts';
import { freePort, runCommands, startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { startService } from '../support/service.ts';

const TOOLS = 20;
const NEAREST = /Nearest names:\n- lumen /;

const SURROUNDING = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

forEachEngine('registry mcp', (engine) => {
  const secrets = {
    REGISTRY_ROOT_KEY: ROOT_KEY,
    REGISTRY_SECRET: SECRET,
    REGISTRY_EMBEDDER: 'off',
    REGISTRY_DRAIN_MS: '0',
  };

  let url: string;
  let database: Record<string, string>;

  before(async () => {
    database = await engine.openTestDatabase();
    const app = await engine.openTestApp({ database });
    await makeMcpWorld(as(app.ctx, 'admin'));
    ({ url } = await startService(app));
  });

  // The engine of the server does not matter to a program that uses it over HTTP, nor to the generation of a client.
  if (engine.name === 'sqlite') {
    it("--stdio --local gives the tools of a database to today's clients", async () => {
      const remote = await connectModern(url);
      const { structured } = await remote.call('get_org', { org: 'lumen' });
      await remote.close();
      const program = programOf(['mcp', '--stdio', '--local'], { ...secrets, ...database });
      const client = await wrapModern(new StdioClientTransport(program));
      await assertTools(client, structured.org.slug);
      await client.close();
    });

    it('--stdio --root gives the tools of a server, and checks projects below that folder alone', async () => {
      const folder = await scratchFolder('registry-mcp-root-');
      const outside = await scratchFolder('registry-mcp-outside-');
      for (const name of ['app', 'bare', 'broken', 'huge', 'linked']) await mkdir(join(folder, name));
      const needs = { dependencies: { own: 'github:acme/own' }, devDependencies: { lamp: '1.0.0' } };
      const packages = {
        '': { name: 'app', ...needs },
        'node_modules/own': { version: '1.0.0', resolved: `git+https://git.example/own.git#${'a'.repeat(40)}` },
        'node_modules/lamp': { version: '1.0.0', dev: true },
      };
      const lock = { name: 'app', lockfileVersion: 3, packages };
      await writeFile(join(folder, 'app', 'package.json'), '{"name":"app"}');
      await writeFile(join(folder, 'app', 'package-lock.json'), JSON.stringify(lock));
      await writeFile(join(outside, 'package-lock.json'), JSON.stringify(lock));
      await writeFile(join(folder, 'broken', 'package-lock.json'), '{"lockfileVersion": 3, "packages": {');
      await writeFile(join(folder, 'huge', 'yarn.lock'), '');
      await truncate(join(folder, 'huge', 'yarn.lock'), 65 * 1024 * 1024);
      await symlink(outside, join(folder, 'way-out'));
      await symlink(join(outside, 'package-lock.json'), join(folder, 'linked', 'package-lock.json'));
      // The root itself is given by a link to it.
      await symlink(folder, join(outside, 'root'));
      const root = join(outside, 'root');
      const program = programOf(['mcp', '--stdio', '--root', root], { REGISTRY_API_URL: url, HOME: folder });
      const client = await wrapModern(new StdioClientTransport(program));
      try {
        await assertTools(client, 'lumen');
        const checked = await client.call('check_upgrades', { folder: 'app' });
        const left = '1 development dependency was not looked at: --include dev';
        assert.equal(checked.structured?.summary, `Not known for 1 package; ${left}`, checked.text);
        const byLink = await client.call('check_upgrades', { folder: join(root, 'app') });
        assert.equal(byLink.text, checked.text);
        const refused: [folder: string, words: RegExp][] = [
          ['/', /must be a folder below/],
          ['..', /must be a folder below/],
          ['app/../..', /must be a folder below/],
          [outside, /must be a folder below/],
          ['way-out', /must be a folder below/],
          ['way-out/root/../', /must be a folder below/],
          ['nothing', /must be a folder below/],
          ['linked', /has a link to a file elsewhere: package-lock\.json/],
          ['bare', /has neither a package\.json nor a lockfile; known are npm-shrinkwrap\.json/],
          ['broken', /package-lock\.json cannot be read/],
          ['huge', /yarn\.lock is larger than 64 MiB, the most that is read/],
        ];
        for (const [given, words] of refused) {
          const answer = await client.call('check_upgrades', { folder: given });
          assert.equal(answer.isError, true, given);
          assert.match(answer.text, words);
        }
      } finally {
        await client.close();
        for (const made of [folder, outside]) await rm(made, { recursive: true });
      }
    });

    it('--stdio gives the tools of a server to the older generation', async () => {
      const program = programOf(['mcp', '--stdio'], { REGISTRY_API_URL: url });
      const client = await wrapLegacy(new LegacyStdio(program));
      await assertTools(client, 'lumen');
      await client.close();
    });
  }

  it('--stdio --local serves the older generation, refuses a line that is too long for a message, writes nothing but protocol messages to stdout, and ends with its input', async () => {
    const env = { ...SURROUNDING, ...secrets, REGISTRY_LOG_LEVEL: 'debug', ...database };
    const child = spawn(process.execPath, [...NODE_FLAGS, LAUNCHER, 'mcp', '--stdio', '--local'], { env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    const part = 'x'.repeat(1 << 20);
    for (let written = 0; written < 4; written += 1) {
      if (!child.stdin.write(part)) await once(child.stdin, 'drain');
    }
    child.stdin.write('\n');
    const send = (value: object | string) =>
      child.stdin.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    const call = (id: number, name: string, args: object) =>
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    const clientInfo = { name: 'test', version: '1' };
    send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    send('this is no message');
    call(2, 'stats', {});
    call(3, 'nothing', {});
    send({ jsonrpc: '2.0', id: 4, method: 'tools/list' });
    call(5, 'get_org', { org: 'lumen' });
    call(6, 'get_org', { org: 'lumn' });
    const answered = (id: number) => out.includes(`"id":${id}`);
    while (![1, 2, 3, 4, 5, 6].every(answered)) await once(child.stdout, 'data');
    child.stdin.end();
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(messages.every(({ jsonrpc }) => jsonrpc === '2.0'));
    const refused = messages.find(({ id }) => id === null);
    assert.equal(refused.error.code, -32600);
    assert.match(refused.error.message, /at most 262144 bytes/);
    assert.match(err, /too long/);
    const result = (requested: number) => messages.find(({ id }) => id === requested)?.result;
    assert.equal(result(1).serverInfo.name, 'release-registry');
    assert.equal(result(2).structuredContent.orgs, 1);
    assert.equal(result(4).tools.length, TOOLS);
    assert.equal(result(5).structuredContent.org.slug, 'lumen');
    assert.match(result(6).content[0].text, NEAREST);
  });

  it('on a port of its own it serves the tools, its health and nothing else, and ends by SIGINT', async () => {
    const port = await freePort();
    const registry = startRegistry(['mcp', '--port', String(port)], { ...secrets, ...database });
    await registry.printed(/root key .*\n/);
    const own = `http://127.0.0.1:${port}`;
    const client = await connectModern(own);
    assert.equal((await client.call('get_org', { org: 'lumen' })).structured.org.slug, 'lumen');
    await client.close();
    assert.equal((await fetch(`${own}/health`)).status, 200);
    for (const path of ['/v1/orgs', '/', '/v1/openapi.json'])
      assert.equal((await fetch(`${own}${path}`)).status, 404, path);
    registry.child.kill('SIGINT');
    assert.equal((await registry.ended).code, 0);
  });
});

function programOf(args: string[], env: Record<string, string>) {
  const command = process.execPath;
  return {
    command,
    args: [...NODE_FLAGS, LAUNCHER, ...args],
    env: { ...SURROUNDING, ...env },
    stderr: 'ignore' as const,
  };
}

async function assertTools(client: McpClient, slug: string): Promise<void> {
  assert.equal(client.version(), 'release-registry');
  assert.equal((await client.listTools()).length, TOOLS);
  assert.equal((await client.call('get_org', { org: 'lumen' })).structured.org.slug, slug);
  assert.match((await client.call('get_org', { org: 'lumn' })).text, NEAREST);
}

describe('registry mcp, commands that end at once', () => {
  const WRONG = [
    ['mcp', 'nonsense'],
    ['mcp', '--local'],
    ['mcp', '--root', '/tmp'],
    ['mcp', '--stdio', '--root', '/nowhere/at/all'],
    ['mcp', 'config', '--server', 'nonsense'],
    ['mcp', '--stdio', '--server', 'ftp://x.example'],
  ];
  let ends: Awaited<ReturnType<typeof runCommands>>;
  before(async () => {
    const config = [
      ['mcp', 'config', '--server', 'https://registry.example/'],
      ['mcp', 'config', '--stdio', '--server', 'https://registry.example/'],
      ['mcp', 'config', '--json'],
    ];
    ends = await runCommands([...WRONG, ...config]);
  });

  it('mcp config prints what clients need', () => {
    const [shown, started, json] = ends.slice(WRONG.length);
    const entryOf = (run: typeof shown) => JSON.parse(run?.stdout ?? '').mcpServers['release-registry'];
    assert.equal(entryOf(shown).url, 'https://registry.example/mcp');
    assert.match(shown?.stderr ?? '', /--stdio prints it for those that start a program/);
    assert.equal(entryOf(started).env.REGISTRY_API_URL, 'https://registry.example');
    const { http, stdio } = JSON.parse(json?.stdout ?? '');
    assert.deepEqual(http.mcpServers['release-registry'], { type: 'http', url: 'http://localhost:8080/mcp' });
    assert.deepEqual(stdio.mcpServers['release-registry'].args, ['mcp', '--stdio']);
  });

  for (const [index, args] of WRONG.entries()) {
    it(`wrong usage: registry ${args.join(' ')}`, () => {
      const { code, stdout, stderr } = ends[index] ?? assert.fail('it was not run');
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^registry: /);
    });
  }
});
