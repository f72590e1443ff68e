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

// Settings that make V8 shrink the heap of an idle process at once.
const SHRINKING = ['--optimize-for-size', '--gc-memory-reducer-start-delay-ms=1', '--memory-reducer-delay-ms=1'];

// The collections that were not asked for are those that shrink the heap.
const SET_BETWEEN_COLLECTIONS = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setEngineFlags } from ${JSON.stringify(new URL('./web-server.ts', import.meta.url))};

  const shrunk = new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const isOwn = ({ detail }) =>
        detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR && !(detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED);
      if (list.getEntries().some(isOwn)) resolve();
    }).observe({ entryTypes: ['gc'] });
  });
  const waiting = setInterval(() => {}, 1000);
  globalThis.gc({ type: 'major' });
  await shrunk;
  setEngineFlags();
  for (let round = 0; round < 5; round += 1) globalThis.gc({ type: 'major' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(waiting);
  console.log('alive');
`;

it('the settings may be changed in a process whose heap was shrunk before', () => {
  const args = ['--expose-gc', ...SHRINKING, '--input-type=module', '--eval', SET_BETWEEN_COLLECTIONS];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

  assert.equal(stdout, 'alive\n', stderr);
});

it('the block that is freed for the allocator takes no memory', () => {
  const before = process.memoryUsage();

  keepFreedMemory();

  const after = process.memoryUsage();
  assert.equal(after.arrayBuffers, before.arrayBuffers);
  assert.ok(after.rss - before.rss < 8 * 1024 * 1024);
});
