import assert from 'node:assert/strict';
import { it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import { tokenFingerprint } from '../adapters/github/memory.ts';
import { fetchSource } from '../pipeline/fetch-source.ts';
import { scripted } from '../pipeline/scripted.fixture.ts';
import { claim } from '../queue/claim.ts';
import { forgetOldBudget, wakeAgents } from './after-start.ts';
import { scheduleFetchJobs } from './fetch-jobs.ts';

const START = '2026-03-01T12:00:00.000Z';

forEachEngine('after a start', (engine) => {
  it('with another token, what the old one used up does not bind', async () => {
    const database = await engine.openTestDatabase();
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ database, clock });
    const { id } = await createSource(ctx, { type: 'github', url: 'https://github.com/acme/cli' });
    const budget = { host: 'api.github.com', tokenFingerprint: tokenFingerprint(null), limit: 60, remaining: 0 };
    await scheduleFetchJobs(ctx);
    const lease = (await claim(ctx))?.lease;
    const tools = scripted({ budget: { ...budget, resetAt: '2026-03-01T13:00:00.000Z' } });
    await fetchSource(ctx, id, { trigger: 'schedule', tools, lease });
    await createSource(ctx, { type: 'github', url: 'https://github.com/acme/other' });
    await scheduleFetchJobs(ctx);
    assert.equal(await claim(ctx), null);

    assert.equal(await forgetOldBudget(ctx), false, 'the token is the same');
    const restarted = await engine.openTestApp({ database, clock, env: { GITHUB_TOKEN: 'ghp_new' } });
    assert.equal(await forgetOldBudget(restarted.ctx), true);
    assert.ok(await claim(restarted.ctx));
  });

  it('with a model, sources that waited for one are due at once', async () => {
    const clock = movableClock(START);
    const { ctx } = await engine.openTestApp({ clock });
    const { id } = await createSource(ctx, { type: 'agent' });
    const tools = scripted({ outcome: 'model_not_configured', detail: 'none', requests: 0 });
    await fetchSource(ctx, id, { trigger: 'schedule', tools });
    await scheduleFetchJobs(ctx);
    assert.equal(await claim(ctx), null);

    await wakeAgents(ctx);
    await scheduleFetchJobs(ctx);

    assert.equal((await claim(ctx))?.sourceId, id);
  });
});
