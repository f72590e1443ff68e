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

// The collections that were not asked for are those that shrink the heap. They follow a forced one if the heap has grown.
const SET_BETWEEN_COLLECTIONS = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { setEngineFlags } from ${JSON.stringify(new URL('./web-server.ts', import.meta.url))};

  const { NODE_PERFORMANCE_GC_MAJOR: MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED: FORCED } = constants;
  let isShrunk = false;
  new PerformanceObserver((list) => {
    isShrunk ||= list.getEntries().some(({ detail }) => detail.kind === MAJOR && !(detail.flags & FORCED));
  }).observe({ entryTypes: ['gc'] });
  const grown = [];
  for (let round = 0; !isShrunk && round < 200; round += 1) {
    if (round % 10 === 0) grown.push(new Array(1 << 20).fill(0));
    globalThis.gc({ type: 'major' });
    await sleep(50);
  }
  setEngineFlags();
  for (let round = 0; round < 5; round += 1) globalThis.gc({ type: 'major' });
  await sleep(50);
  console.log(isShrunk ? 'alive' : 'never shrunk');
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
