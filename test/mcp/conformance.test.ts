// The official conformance suite, with the scenarios that apply to a server that has only its own tools, prompts and
// resources: the others call those of a test server. None of them reads the database, so one engine is enough.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile, rm } from 'node:fs/promises';
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

// All scenarios in one process, because loading the suite costs more than running it. It ends with 1, as those for other servers fail.
async function runSuite(url: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [...NODE_FLAGS, SUITE, 'server', '--url', url, '--output-dir', folder], {
    stdio: 'ignore',
  });
  await once(child, 'close');
}

describe('MCP conformance', () => {
  let registry: RegistryProcess;
  // The suite writes a report of every scenario here.
  let folder: string;

  before(async () => {
    const port = await freePort();
    folder = await scratchFolder('registry-conformance-');
    const env = { REGISTRY_ROOT_KEY: ROOT_KEY, REGISTRY_SECRET: SECRET, REGISTRY_DATA_DIR: join(folder, 'data') };
    registry = startRegistry(['mcp', '--port', String(port)], env);
    await registry.printed(/root key .*\n/);
    await runSuite(`http://localhost:${port}/mcp`, folder);
  });

  after(async () => {
    registry.child.kill('SIGTERM');
    await registry.ended;
    await rm(folder, { recursive: true });
  });

  for (const scenario of SCENARIOS) {
    it(scenario, async () => {
      const [report = ''] = await Array.fromAsync(glob(`server-${scenario}-*/checks.json`, { cwd: folder }));
      const checks = JSON.parse(await readFile(join(folder, report), 'utf8')) as { status: string }[];
      assert.ok(checks.length > 0);
      assert.deepEqual(
        checks.filter(({ status }) => status !== 'SUCCESS'),
        [],
      );
    });
  }
});
