// Releases that a model behind a real socket refines.
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Context } from '../../src/context.ts';
import { updateOrg } from '../../src/entities/orgs/update.ts';
import { createModel } from '../../src/insight/model/index.ts';
import { refineReleases } from '../../src/insight/refinement/refine-releases.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { as } from '../support/callers.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { startOutsideWorld } from '../support/outside-world.ts';

forEachEngine('refinement of releases', (engine) => {
  type Say = (requested: { version: string; notes: string }) => { status?: number; reading?: unknown };
  async function open(t: TestContext, answer: Say) {
    const clock = movableClock('2026-03-20T12:00:00.000Z');
    const { ctx: system } = await engine.openTestApp({ clock });
    const ctx = as(system, 'admin');
    const world = await startOutsideWorld();
    t.after(() => world.close());
    world.route('/v1/chat/completions', ({ body: sent }) => {
      const { status = 200, reading } = answer(JSON.parse(JSON.parse(sent).messages.at(-1).content));
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
    return { ctx, clock, model, org, source, id: insertedIds[0] ?? '', requested: () => world.requests.length };
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
    const { ctx, model, id, requested } = await open(t, () => ({ reading }));
    const before = await read(ctx, id);

    await refineReleases(ctx, model);
    await refineReleases(ctx, model);

    const after = await read(ctx, id);
    assert.deepEqual(after, { ...before, summary: reading.summary, derived_by: 'model' });
    assert.equal(requested(), 1);
    const found = await ctx.store.read.selectFrom('refinements').select('outcome').execute();
    assert.deepEqual(
      found.map(({ outcome }) => outcome),
      ['used'],
    );
  });

  it('leaves the rule-based text when nothing of it holds', async (t) => {
    const { ctx, model, id, requested } = await open(t, () => ({ reading: { summary: 'Globex 9 is supported' } }));
    const before = await read(ctx, id);
    await refineReleases(ctx, model);
    await refineReleases(ctx, model);
    assert.deepEqual(await read(ctx, id), before);
    assert.equal(requested(), 1);
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

  it('passes by a release at which the model fails, and comes back to it on another day', async (t) => {
    let broken = true;
    const reading = { summary: 'The editor has a dark mode now' };
    const { ctx, clock, model, source, id } = await open(t, ({ version }) => ({
      status: version === '1.0.0' && broken ? 500 : 200,
      reading,
    }));
    const second = await postReleases(ctx, source.id, [releaseRow('1.1.0', { content: '- Dark mode for the editor' })]);
    const other = second.insertedIds[0] ?? '';

    for (let pass = 0; pass < 3; pass += 1) await refineReleases(ctx, model);
    assert.equal((await read(ctx, other)).derived_by, 'rules');
    await refineReleases(ctx, model);
    assert.equal((await read(ctx, other)).derived_by, 'model');
    assert.equal((await read(ctx, id)).derived_by, 'rules');

    broken = false;
    clock.move(86_400_000);
    await refineReleases(ctx, model);
    assert.equal((await read(ctx, id)).derived_by, 'model');
  });

  it('asks for all releases, however many, and again for those that were edited', async (t) => {
    const { ctx, clock, model, source, id, requested } = await open(t, () => ({ reading: {} }));
    const rows = Array.from({ length: 120 }, (_, index) =>
      releaseRow(`2.0.${index}`, { content: `- Fixed leak ${index}` }),
    );
    await postReleases(ctx, source.id, rows);
    while (await refineReleases(ctx, model));
    assert.equal(requested(), 121);

    await patchRelease(ctx, id, { content: '- Added another thing' });
    clock.move(86_400_000);
    while (await refineReleases(ctx, model));
    assert.equal(requested(), 122);
  });

  it('does not ask for bodies that are too long or empty, nor for orgs that want nothing generated', async (t) => {
    const { ctx, model, org, source, requested } = await open(t, () => ({ reading: {} }));
    await postReleases(ctx, source.id, [
      releaseRow('3.0.0', { content: `- Added ${'x'.repeat(50_000)}` }),
      releaseRow('3.1.0', { content: '' }),
    ]);
    await refineReleases(ctx, model);
    assert.equal(requested(), 1);

    await postReleases(ctx, source.id, [releaseRow('3.2.0', { content: '- Added hooks' })]);
    await updateOrg(ctx, { org: org.id, change: { autoGenerateContent: false } });
    await refineReleases(ctx, model);
    assert.equal(requested(), 1);
  });

  it('keeps no instructions where nothing breaks', async (t) => {
    const content = '- The `old` flag is deprecated, use `new` instead';
    const reading = { breaking: 'none', breakingQuote: 'use `new` instead' };
    const { ctx, model, source } = await open(t, ({ version }) =>
      version === '4.0.0' ? { reading } : { reading: {} },
    );
    const { insertedIds } = await postReleases(ctx, source.id, [releaseRow('4.0.0', { content })]);
    const verdict = () =>
      ctx.store.read
        .selectFrom('releases')
        .select(['breaking', 'migration_notes'])
        .where('id', '=', insertedIds[0] ?? '')
        .executeTakeFirstOrThrow();
    assert.match((await verdict()).migration_notes ?? '', /use `new` instead/);
    await refineReleases(ctx, model);
    const { breaking, migration_notes } = await verdict();
    assert.deepEqual([breaking, migration_notes], ['none', null]);
  });

  it('asks for each release once when two workers meet', async (t) => {
    const { ctx, model, requested } = await open(t, () => ({ reading: {} }));
    await Promise.all([refineReleases(ctx, model), refineReleases(ctx, model)]);
    assert.equal(requested(), 1);
  });
});
