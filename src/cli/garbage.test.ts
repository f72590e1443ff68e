import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { ENGINE_FLAGS, keepFreedMemory, setEngineFlags } from './web-server.ts';

it('the engine knows the settings: one that it does not know would change nothing', () => {
  const starts = (flag: string) => spawnSync(process.execPath, [flag, '-e', '']).status === 0;

  for (const flag of ENGINE_FLAGS) {
    assert.ok(starts(flag), flag);
    assert.ok(!starts(flag.replace('--', '--un')), flag);
  }
  setEngineFlags();
});

it('the block that is freed for the allocator takes no memory', () => {
  const before = process.memoryUsage();

  keepFreedMemory();

  const after = process.memoryUsage();
  assert.equal(after.arrayBuffers, before.arrayBuffers);
  assert.ok(after.rss - before.rss < 8 * 1024 * 1024);
});
