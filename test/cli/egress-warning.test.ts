import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { runRegistry } from '../support/registry-process.ts';

it('a server command warns at its start while private targets are admitted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'registry-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = { REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' };

  const { code, stderr } = await runRegistry(['fetch'], { ...env, REGISTRY_EGRESS_ALLOW: '10.0.0.0/8,printer.local' });

  assert.match(stderr, /"allow":\["10\.0\.0\.0\/8","printer\.local"\],"msg":"REGISTRY_EGRESS_ALLOW/);
  // Without them nothing is said, as the test of `serve` shows.
  assert.equal(code, 0);
});
