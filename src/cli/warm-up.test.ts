import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { warmUp } from './warm-up.ts';

const { cache } = createRequire(import.meta.url);

it('what a start leaves out is loaded later, unless the service stops before', async () => {
  const early = warmUp(0);
  const late = warmUp(1);
  let isEarlyDone = false;
  void early.done.then(() => {
    isEarlyDone = true;
  });
  early.stop();
  await late.done;
  assert.ok(Object.keys(cache).some((path) => path.includes('cl100k_base')));
  assert.equal(isEarlyDone, false);
});
