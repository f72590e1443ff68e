// What migration notes and sections of guides ask for is worked out when they are written; a question only reads it.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { elementAt } from '../../src/domain/records.ts';
import { rederiveReleases } from '../../src/insight/rederivation/rederive-releases.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { storeRefinedFields } from '../../src/releases/write/refine.ts';
import { parseJson, toJson } from '../../src/store/json-text.ts';
import type { ReleaseRow } from '../../src/store/schema/releases.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type UpgradeWorld } from './upgrade-world.ts';

const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const DERIVED = ['Removed `old()`, use `fresh()` instead.'];
// Longer than what is read outside of threads.
const LONG = Array.from({ length: 300 }, (_, index) => `- Set \`option.number.${index}\` to 1.`).join('\n');
const RANGE = { from: '1.0.0', to: 'latest' };

forEachEngine('steps of migration notes', (engine) => {
  let world: UpgradeWorld;
  let ctx: Context;
  before(async () => {
    world = await openUpgradeWorld(engine);
    ctx = as(world.ctx, 'admin');
  });

  const rowsOf = (sourceId: string) =>
    ctx.store.read.selectFrom('releases').selectAll().where('source_id', '=', sourceId).orderBy('seq').execute();
  const storedSteps = async (sourceId: string) =>
    (await rowsOf(sourceId)).map(({ upgrade_steps }) => upgrade_steps && parseJson(upgrade_steps));
  const change = (columns: Partial<ReleaseRow>, ids: readonly string[]) =>
    transact(ctx, ({ tx }) => tx.updateTable('releases').set(columns).where('id', 'in', ids).execute(), 'derived');
  const addGuide = (row: { release_id: string; source_id: string; notes: string }) =>
    transact(
      ctx,
      ({ tx }) =>
        tx
          .insertInto('guide_notes')
          .values({ ...row, upgrade_steps: null })
          .execute(),
      'derived',
    );
  const told = async (query: Record<string, string>): Promise<string[]> =>
    (await world.ask(query)).body.steps.map(({ text }: { text: string }) => text);

  it('are stored with what is derived, stated, corrected and refined, and go with the notes', async () => {
    const { id } = await world.fill([
      '1.0.0',
      { version: '2.0.0', content: BREAKING },
      { version: '3.0.0', content: BREAKING, migrationNotes: '- Set `a`.\n- Drop `b`.' },
      { version: '4.0.0', content: BREAKING, migrationNotes: LONG },
    ]);
    const first = await storedSteps(id);
    assert.deepEqual(first.slice(0, 3), [null, DERIVED, ['Set `a`.', 'Drop `b`.']]);
    assert.deepEqual([first[3]?.length, first[3]?.[0]], [300, 'Set `option.number.0` to 1.']);

    const [, second, third, fourth] = await rowsOf(id);
    assert.ok(second && third && fourth);
    await patchRelease(ctx, second.id, { migrationNotes: '- Run `kit move`.' });
    await patchRelease(ctx, third.id, { migrationNotes: null });
    await storeRefinedFields(ctx, fourth, { migration_notes: '- Run `kit refine`.' });
    const corrected = [null, ['Run `kit move`.'], null, ['Run `kit refine`.']];
    assert.deepEqual(await storedSteps(id), corrected);

    await patchRelease(ctx, second.id, { content: '### Breaking\n- Removed `other()`, use `last()` instead.' });
    await patchRelease(ctx, fourth.id, { content: '### Breaking\n- Removed `other()`, use `last()` instead.' });
    assert.deepEqual(await storedSteps(id), [...corrected.slice(0, 3), ['Removed `other()`, use `last()` instead.']]);
  });

  it('are read by the answer, whether its entries fit or not, and also of a guide', async () => {
    const summary = 'x'.repeat(600);
    const versions = Array.from({ length: 40 }, (_, index) => {
      return { version: `1.${index}.0`, summary, ...(index === 3 ? { content: BREAKING } : {}) };
    });
    const { id, slug } = await world.fill(versions);
    const { id: breakId } = elementAt(await rowsOf(id), 3);
    assert.deepEqual(await told({ package: slug, ...RANGE }), DERIVED);

    await change({ upgrade_steps: toJson(['As stored.']) }, [breakId]);
    assert.deepEqual(await told({ package: slug, ...RANGE }), ['As stored.']);
    assert.deepEqual(await told({ package: slug, ...RANGE, tokens: '500' }), ['As stored.']);

    await addGuide({ release_id: breakId, source_id: id, notes: '- Run `kit move`.' });
    assert.deepEqual(await told({ package: slug, ...RANGE }), ['As stored.', 'Run `kit move`.']);
    await change({ migration_notes: '- Run' }, [breakId]);
    assert.deepEqual(
      await told({ package: slug, ...RANGE }),
      ['Run `kit move`.'],
      'a guide that begins with the notes',
    );
    await transact(ctx, ({ tx }) =>
      tx
        .updateTable('guide_notes')
        .set({ upgrade_steps: toJson(['Kept.']) })
        .execute(),
    );
    assert.deepEqual(await told({ package: slug, ...RANGE }), ['Kept.']);
  });

  it('of rows from before are read from the text, until these are derived again without a sign to readers', async () => {
    const { id, slug } = await world.fill([
      '1.0.0',
      { version: '2.0.0', content: BREAKING },
      { version: '3.0.0', content: BREAKING },
      { version: '4.0.0', content: BREAKING, migrationNotes: LONG },
      { version: '5.0.0', content: BREAKING },
    ]);
    const [, fetched, refined, , pinned] = await rowsOf(id);
    assert.ok(fetched && refined && pinned);
    await change({ origin: 'feed' }, [fetched.id, pinned.id]);
    await storeRefinedFields(ctx, refined, { migration_notes: '- Run `kit refine`.' });
    await patchRelease(ctx, pinned.id, { migrationNotes: '- Run `kit pin`.' });
    await addGuide({ release_id: fetched.id, source_id: id, notes: `- Run \`kit guide\`.\n${LONG}` });
    const answer = async () => (await world.ask({ package: slug, ...RANGE })).body;
    const expected = await answer();
    assert.deepEqual([expected.steps.length, expected.moreSteps], [100, 204]);
    await ctx.store.transaction(async (tx) => {
      // Later columns go too, so that all have their places again.
      await sql`ALTER TABLE releases DROP COLUMN by_version`.execute(tx);
      await sql`ALTER TABLE releases DROP COLUMN upgrade_steps`.execute(tx);
      await sql`ALTER TABLE guide_notes DROP COLUMN upgrade_steps`.execute(tx);
      await tx.deleteFrom('schema_migrations').where('number', 'in', [42, 45]).execute();
    }, 'catalog');

    assert.deepEqual(await ctx.store.migrate(), ['upgrade-steps', 'by-version']);
    assert.ok((await storedSteps(id)).every((steps) => steps === null));
    assert.deepEqual(await answer(), expected);

    const figures = () =>
      ctx.store.read.selectFrom('source_figures').select('changed_at').where('source_id', '=', id).execute();
    const shown = async () => (await rowsOf(id)).map(({ upgrade_steps, ...row }) => row);
    const seen = [await figures(), await shown()];
    while (await rederiveReleases(ctx));
    assert.deepEqual([await figures(), await shown()], seen);
    const steps = await storedSteps(id);
    assert.deepEqual(steps.toSpliced(3, 1), [null, DERIVED, ['Run `kit refine`.'], ['Run `kit pin`.']]);
    assert.equal(steps[3]?.length, 300);
    const { upgrade_steps } = await ctx.store.read
      .selectFrom('guide_notes')
      .select('upgrade_steps')
      .where('release_id', '=', fetched.id)
      .executeTakeFirstOrThrow();
    assert.equal(upgrade_steps && parseJson(upgrade_steps)[0], 'Run `kit guide`.');
    assert.deepEqual(await answer(), expected);
  });
});
