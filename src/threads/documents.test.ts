import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { MAX_INLINE_CHARS, readDocument } from './documents.ts';
import { whereRun } from './slow.fixture.ts';
import { threadTask } from './task.ts';

const asking = threadTask(new URL('./slow.fixture.ts', import.meta.url).href, whereRun);

describe('a document', () => {
  it('is read at once when it is small, and on a thread when it is large', async () => {
    assert.equal(isMainThread, true);
    assert.equal(await readDocument(asking, null, MAX_INLINE_CHARS), 'main');
    assert.equal(await readDocument(asking, null, MAX_INLINE_CHARS + 1), 'thread');
  });
});
