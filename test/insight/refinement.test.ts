// Releases put before a model that speaks over a real socket.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { patchRelease } from '../../src/catalog/releases/patch.ts';
import type { Context } from '../../src/context.ts';
import { createModel } from '../../src/insight/model/index.ts';
import { refineReleases } from '../../src/insight/refinement/refine-releases.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';

forEachEngine('refinement of releases', (engine) => {
  async function open(t: TestContext, answer: () => { status?: number; reading?: unknown }) {
    const { ctx: system } = await engine.openTestApp();
    const ctx = as(system, 'admin');
    const world = await startOutsideWorld();
    t.after(() => world.close());
    world.route('/v1/chat/completions', () => {
      const { status = 200, reading } = answer();
      const body = JSON.stringify({
        choices: [{ message: { content: `\`\`\`json\n${JSON.stringify(reading)}\n\`\`\`` } }],
      });
      return { status, headers: { 'content-type': 'application/json' }, body };
    });
    const settings = { provider: 'openai' as const, url: `${world.url}/v1`, key: null, name: 'small' };
    const model = createModel(settings, { fetch: world.fetch(), clock: ctx.clock });
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    const { insertedIds } = await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { content: '### Added\n- Dark mode for the editor\n- Export of tables\n' }),
    ]);
    return { ctx, model, source, id: insertedIds[0] ?? '', asked: () => world.requests.length };
  }
  const read = async (ctx: Context, id: string) => ({
    ...(await ctx.store.read
      .selectFrom('releases')
      .select(['summary', 'derived_by', 'importance', 'title_short', 'revision_count', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()),
  });

  it('takes what holds, once for each content, without a revision or an event', async (t) => {
    const reading = { summary: 'The editor has a dark mode now', titleShort: 'Works with Globex 9' };
    const { ctx, model, id, asked } = await open(t, () => ({ reading }));
    const before = await read(ctx, id);

    await refineReleases(ctx, model);
    await refineReleases(ctx, model);

    const after = await read(ctx, id);
    assert.deepEqual(after, { ...before, summary: reading.summary, derived_by: 'model' });
    assert.equal(asked(), 1);
    const found = await ctx.store.read.selectFrom('refinements').select('outcome').execute();
    assert.deepEqual(
      found.map(({ outcome }) => outcome),
      ['used'],
    );
  });

  it('leaves the rule-based text when nothing of it holds', async (t) => {
    const { ctx, model, id, asked } = await open(t, () => ({ reading: { summary: 'Globex 9 is supported' } }));
    const before = await read(ctx, id);
    await refineReleases(ctx, model);
    await refineReleases(ctx, model);
    assert.deepEqual(await read(ctx, id), before);
    assert.equal(asked(), 1);
  });

  it('leaves alone what a person has set', async (t) => {
    const { ctx, model, id } = await open(t, () => ({
      reading: { summary: 'The editor has a dark mode now', importance: 5 },
    }));
    await patchRelease(ctx, id, { summary: 'By hand.' });
    await refineReleases(ctx, model);
    const { summary, importance } = await read(ctx, id);
    assert.deepEqual([summary, importance], ['By hand.', 5]);
  });

  it('comes back to a release when the model was out of reach', async (t) => {
    let status = 503;
    const { ctx, model, id } = await open(t, () => ({
      status,
      reading: { summary: 'The editor has a dark mode now' },
    }));
    assert.equal(await refineReleases(ctx, model), false);
    assert.equal((await read(ctx, id)).derived_by, 'rules');
    status = 200;
    await refineReleases(ctx, model);
    assert.equal((await read(ctx, id)).derived_by, 'model');
  });

  it('asks for each release once when two workers meet', async (t) => {
    const { ctx, model, asked } = await open(t, () => ({ reading: {} }));
    await Promise.all([refineReleases(ctx, model), refineReleases(ctx, model)]);
    assert.equal(asked(), 1);
  });
});
