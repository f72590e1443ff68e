import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { runRegistry } from '../support/registry-process.ts';

it('a server command warns at its start while private targets are admitted, and else says nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'registry-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const env = { REGISTRY_DATA_DIR: folder, REGISTRY_LOG_LEVEL: 'warn' };

  const open = await runRegistry(['fetch'], { ...env, REGISTRY_EGRESS_ALLOW: '10.0.0.0/8,printer.local' });
  const closed = await runRegistry(['fetch'], env);

  assert.match(open.stderr, /"allow":\["10\.0\.0\.0\/8","printer\.local"\],"msg":"REGISTRY_EGRESS_ALLOW/);
  assert.deepEqual([open.code, closed.code, closed.stderr], [0, 0, '']);
});
