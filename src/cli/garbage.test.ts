import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { allowHeapGrowth, HEAP_GROWTH, keepFreedMemory } from './web-server.ts';

it('the engine knows the setting: one that it does not know would change nothing', () => {
  const starts = (flag: string) => spawnSync(process.execPath, [flag, '-e', '']).status === 0;

  assert.ok(starts(HEAP_GROWTH));
  assert.ok(!starts(HEAP_GROWTH.replace('heap', 'pile')));
  allowHeapGrowth();
});

it('the block that is freed for the allocator takes no memory', () => {
  const before = process.memoryUsage();

  keepFreedMemory();

  const after = process.memoryUsage();
  assert.equal(after.arrayBuffers, before.arrayBuffers);
  assert.ok(after.rss - before.rss < 8 * 1024 * 1024);
});
