import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { startOutsideWorld } from '../../../test/support/outside-world.ts';
import { toolsOf } from './adapter-context.ts';

forEachEngine('tools of a fetch', (engine) => {
  it('have no model unless one is configured', async () => {
    const { ctx } = await engine.openTestApp();

    assert.equal(toolsOf(ctx).model, null);
  });

  it('ask the configured model and write the tokens down, up to the daily cap', async (test) => {
    const world = await startOutsideWorld();
    test.after(() => world.close());
    const answer = {
      choices: [{ message: { role: 'assistant', content: 'Hello' } }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    };
    world.route('/v1/chat/completions', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
    const env = {
      REGISTRY_MODEL_URL: `${world.url}/v1`,
      REGISTRY_MODEL_NAME: 'small',
      REGISTRY_MODEL_KEY: 'key',
      REGISTRY_MODEL_DAILY_TOKENS: '10',
    };
    const { ctx } = await engine.openTestApp({ fetch: world.fetch(), env });
    const ask = () => toolsOf(ctx).model?.chat({ system: 's', messages: [{ role: 'user', content: 'Hi' }] });

    assert.equal((await ask())?.text, 'Hello');

    const rows = await ctx.store.read.selectFrom('usage_log').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => [row.operation, row.model, row.input_tokens, row.output_tokens]),
      [['agent', 'small', 7, 3]],
    );
    await assert.rejects(ask() ?? Promise.resolve(), { code: 'daily_cap' });
  });
});
