import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { TaskTimeout } from '../../threads/task.ts';
import { fetchSource } from './fetch-source.ts';
import { scripted } from './scripted.fixture.ts';

forEachEngine('a document that takes too long to read', (engine) => {
  it('ends the fetch as a time-out that says so', async () => {
    const { ctx } = await engine.openTestApp();
    const { id } = await createSource(ctx);
    const { adapters, model } = scripted();
    const stopped = async () => Promise.reject(new TaskTimeout(10_000));
    const tools = { model, adapters: Object.fromEntries(Object.keys(adapters).map((name) => [name, stopped])) };
    await fetchSource(ctx, id, { trigger: 'schedule', tools: tools as never });
    const log = await ctx.store.read.selectFrom('fetch_log').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([log.status, log.error_category], ['timeout', 'timeout']);
    assert.equal(log.error, 'timeout: parse_timeout: not done within 10 s');
  });
});
