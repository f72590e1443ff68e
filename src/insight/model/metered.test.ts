import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { usageStats } from '../../entities/registry/usage-log.ts';
import { type ChatModel, ModelFailure } from './index.ts';
import { meteredModel, tokensToday } from './metered.ts';

const HOUR = 3_600_000;

forEachEngine('a metered model', (engine) => {
  const clock = movableClock('2024-06-01T12:00:00.000Z');
  let ctx: Context;
  before(async () => {
    ({ ctx } = await engine.openTestApp({ clock }));
  });
  let requested = 0;
  const model: ChatModel = {
    name: 'small',
    chat: async () => {
      requested += 1;
      return { text: 'So.', toolCalls: [], inputTokens: 70, outputTokens: 30 };
    },
  };

  it('writes down what it used and stops at the cap until the next day', async () => {
    const source = await createSource(ctx);
    const metered = meteredModel(ctx, model, { operation: 'agent', sourceId: source.id, dailyTokens: 150 });
    const ask = () => metered.chat({ system: '', messages: [] });

    await ask();
    await ask();
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof ModelFailure);
      assert.deepEqual([error.code, error.retryAt], ['daily_cap', '2024-06-02T00:00:00.000Z']);
      return true;
    });
    assert.equal(requested, 2);
    assert.equal(await tokensToday(ctx), 200);

    clock.move(12 * HOUR);
    await ask();

    assert.equal(await tokensToday(ctx), 100);
    const { byOperation, bySource } = await usageStats(ctx, { days: 7 });
    assert.deepEqual(byOperation, [{ label: 'agent', totalInput: 210, totalOutput: 90, count: 3 }]);
    assert.equal(bySource[0]?.label, source.slug);
  });
});
