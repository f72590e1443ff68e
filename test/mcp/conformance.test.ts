// The official conformance suite, with the scenarios that apply to a server that has only its own tools, prompts and
// resources: the others call those of a test server. None of them reads the database, so one engine is enough.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT_KEY, SECRET } from '../support/engines.ts';
import { NODE_FLAGS } from '../support/program.ts';
import { freePort, type RegistryProcess, startRegistry } from '../support/registry-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'prompts-list',
  'resources-list',
  'completion-complete',
  'dns-rebinding-protection',
];

describe('MCP conformance', () => {
  let registry: RegistryProcess;
  let url: string;
  // The suite writes a report of every run into its working directory.
  let folder: string;

  before(async () => {
    const port = await freePort();
    folder = await scratchFolder('registry-conformance-');
    const env = { REGISTRY_ROOT_KEY: ROOT_KEY, REGISTRY_SECRET: SECRET, REGISTRY_DATA_DIR: join(folder, 'data') };
    registry = startRegistry(['mcp', '--port', String(port)], env);
    await registry.printed(/root key .*\n/);
    url = `http://localhost:${port}/mcp`;
  });

  after(async () => {
    registry.child.kill('SIGTERM');
    await registry.ended;
    await rm(folder, { recursive: true });
  });

  for (const scenario of SCENARIOS) {
    it(scenario, async () => {
      const child = spawn(process.execPath, [...NODE_FLAGS, SUITE, 'server', '--url', url, '--scenario', scenario], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (printed += text));
      const [code] = await once(child, 'close');
      assert.equal(code, 0, printed);
      assert.match(printed, /Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/);
    });
  }
});
