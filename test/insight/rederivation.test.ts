// Stored fields are derived again by the current rules: in the background, page by page, without a change of the
// release itself.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { rederiveReleases } from '../../src/insight/rederivation/rederive-releases.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import type { ReleaseRow } from '../../src/store/schema/releases.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';

const NOTES = 'These notes are written by a machine and may hold breaking changes at any time.';

forEachEngine('derivation of stored releases by new rules', (engine) => {
  async function open(contents: readonly string[]) {
    const { ctx: system } = await engine.openTestApp();
    const ctx = as(system, 'admin');
    const org = await createOrg(ctx);
    const source = await createSource(ctx, { orgId: org.id });
    const rows = contents.map((content, index) => releaseRow(`1.${index}.0`, { content }));
    for (let at = 0; at < rows.length; at += 50) await postReleases(ctx, source.id, rows.slice(at, at + 50));
    // The fields as a fetch with older rules would have stored them.
    await change(ctx, { origin: 'feed', breaking: 'none', summary: 'By old rules', title_short: 'Old' });
    return { ctx, sourceId: source.id };
  }
  const change = (ctx: Context, columns: Partial<ReleaseRow>) =>
    transact(ctx, ({ tx }) => tx.updateTable('releases').set(columns).execute(), 'derived');
  const read = (ctx: Context) =>
    ctx.store.read
      .selectFrom('releases')
      .select(['id', 'breaking', 'summary', 'title_short', 'revision_count', 'updated_at', 'embedded_at'])
      .orderBy('seq')
      .execute();
  const count = async (ctx: Context, table: 'events' | 'release_revisions') =>
    (await ctx.store.read.selectFrom(table).select('id').execute()).length;
  const finish = async (ctx: Context) => {
    let steps = 0;
    while (await rederiveReleases(ctx)) steps += 1;
    return steps;
  };

  it('writes what differs, without events, revisions or new dates, and finds it by its new words', async () => {
    const { ctx } = await open(['- Removed the `--legacy` flag', '- Fixed a crash on start']);
    const before = await read(ctx);
    const reported = await count(ctx, 'events');
    assert.ok((await finish(ctx)) > 0);
    const after = await read(ctx);
    assert.deepEqual(
      after.map(({ breaking, title_short }) => [breaking, title_short]),
      [
        ['major', 'Removed the --legacy flag'],
        ['none', 'Fixed a crash on start'],
      ],
    );
    assert.deepEqual(
      after.map(({ updated_at, revision_count }) => [updated_at, revision_count]),
      before.map(({ updated_at, revision_count }) => [updated_at, revision_count]),
    );
    assert.equal(await count(ctx, 'events'), reported);
    assert.equal(await count(ctx, 'release_revisions'), 0);
    assert.equal(await finish(ctx), 0);
  });

  it('keeps the notes that a breaking release has from an upgrade guide', async () => {
    const { ctx, sourceId } = await open(['- Removed the `--legacy` flag', '- Fixed a crash on start']);
    const [removed, fixed] = await read(ctx);
    await change(ctx, { migration_notes: 'Drop `--legacy`.' });
    for (const { id } of [removed, fixed].flatMap((one) => one ?? [])) {
      const row = { release_id: id, source_id: sourceId, notes: 'Drop `--legacy`.' };
      await transact(ctx, ({ tx }) => tx.insertInto('guide_notes').values(row).execute(), 'derived');
    }
    await finish(ctx);
    const rows = await ctx.store.read.selectFrom('releases').select('migration_notes').orderBy('seq').execute();
    assert.deepEqual(
      rows.map(({ migration_notes }) => migration_notes),
      ['Drop `--legacy`.', null],
    );
  });

  it('leaves what a person pinned, and what a model or a caller wrote', async () => {
    const { ctx } = await open(['- Removed the `a` flag', '- Removed the `b` flag', '- Removed the `c` flag']);
    const [pinned, refined, posted] = await read(ctx);
    await patchRelease(ctx, pinned?.id ?? '', { summary: 'By hand.' });
    const set = (id: string | undefined, columns: Partial<ReleaseRow>) =>
      transact(
        ctx,
        ({ tx }) =>
          tx
            .updateTable('releases')
            .set(columns)
            .where('id', '=', id ?? '')
            .execute(),
        'derived',
      );
    await set(refined?.id, { derived_by: 'model' });
    await set(posted?.id, { origin: 'api' });
    await finish(ctx);
    assert.deepEqual(
      (await read(ctx)).map(({ breaking, summary }) => [breaking, summary]),
      [
        ['major', 'By hand.'],
        ['none', 'By old rules'],
        ['none', 'By old rules'],
      ],
    );
  });

  it('goes on where it stopped, and starts over when the rules are others', async () => {
    const { ctx, sourceId } = await open(Array.from({ length: 120 }, (_, index) => `- Removed the \`x${index}\` flag`));
    assert.equal(await rederiveReleases(ctx), true);
    const halfway = (await read(ctx)).filter(({ breaking }) => breaking === 'major').length;
    assert.ok(halfway > 0 && halfway < 120);
    assert.equal(await rederiveReleases(ctx, AbortSignal.abort()), false);
    await finish(ctx);
    assert.ok((await read(ctx)).every(({ breaking }) => breaking === 'major'));
    await change(ctx, { breaking: 'none' });
    assert.equal(await finish(ctx), 0);
    const older = { rules_version: 0 };
    await transact(
      ctx,
      ({ tx }) => tx.updateTable('derivations').set(older).where('source_id', '=', sourceId).execute(),
      'bookkeeping',
    );
    await finish(ctx);
    assert.ok((await read(ctx)).every(({ breaking }) => breaking === 'major'));
  });

  it('counts how a source writes, and reads new releases by it at once', async () => {
    const bodies = Array.from(
      { length: 8 },
      (_, index) => `${NOTES.replace('may hold', 'hold')}\n\n- Fixed item ${index}`,
    );
    const { ctx, sourceId } = await open(bodies);
    await finish(ctx);
    assert.ok((await read(ctx)).every(({ breaking }) => breaking === 'none'));
    await postReleases(ctx, sourceId, [releaseRow('1.20.0', { content: bodies[0] ?? '' })]);
    assert.equal((await read(ctx)).at(-1)?.breaking, 'none');
  });

  it('fills in which releases repair a security problem, also where a model or a caller wrote the other fields', async () => {
    const notes = ['- Escape names (CVE-2024-1234)', '### Security\n\n- Names are escaped', '- Fixed a crash on start'];
    for (const columns of [{ derived_by: 'model' as const }, { origin: 'api' }, {}]) {
      const { ctx } = await open(notes);
      await change(ctx, { security: 0, ...columns });
      await finish(ctx);
      const rows = await ctx.store.read.selectFrom('releases').select(['security', 'summary']).orderBy('seq').execute();
      assert.deepEqual(
        rows.map(({ security, summary }) => [security, summary === 'By old rules']),
        [1, 1, 0].map((security) => [security, Object.keys(columns).length > 0]),
      );
    }
  });
});
