import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../../test/support/engines.ts';
import { type Context, transact } from '../../../context.ts';
import { readSpaces } from '../spaces.ts';
import { enterSpace, leaveOldSpace } from './pass.ts';
import { writeVectors } from './store-batch.ts';

const VECTOR = Float32Array.of(1, 0);

async function put(ctx: Context, space: string, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, index) => {
    return { key: from + index, ref: `rel_${from + index}`, vector: VECTOR, textHash: '', tier: 2 };
  });
  await transact(ctx, (inner) => writeVectors(inner, { space, kind: 'release' }, rows), 'bookkeeping');
}

forEachEngine('a change of space', (engine) => {
  it('happens when the new one has 99 of 100', async () => {
    const { ctx } = await engine.openTestApp();
    assert.equal(await enterSpace(ctx, 'old'), false);
    await put(ctx, 'old', 1, 201);

    assert.equal(await enterSpace(ctx, 'new'), true);
    await put(ctx, 'new', 1, 198);
    assert.equal(await leaveOldSpace(ctx, { space: 'new', complete: false }), false);
    assert.deepEqual(await readSpaces(ctx.store.read), { active: 'old', filling: 'new' });

    await put(ctx, 'new', 198, 199);
    assert.equal(await leaveOldSpace(ctx, { space: 'new', complete: false }), true);
    assert.deepEqual(await readSpaces(ctx.store.read), { active: 'new', filling: null });
  });

  it('or when nothing more can be had, and not after a way back', async () => {
    const { ctx } = await engine.openTestApp();
    await enterSpace(ctx, 'old');
    await put(ctx, 'old', 1, 11);
    await enterSpace(ctx, 'new');

    assert.equal(await enterSpace(ctx, 'old'), false);
    assert.equal(await leaveOldSpace(ctx, { space: 'new', complete: true }), false);
    await enterSpace(ctx, 'new');
    assert.equal(await leaveOldSpace(ctx, { space: 'new', complete: true }), true);
  });

  it('every write has a number of its own, in the order of commits', async () => {
    const { ctx } = await engine.openTestApp();
    await Promise.all([put(ctx, 'a', 1, 40), put(ctx, 'b', 1, 40), put(ctx, 'a', 20, 60)]);

    const rows = await ctx.store.read.selectFrom('vectors').select(['space', 'key', 'seq']).execute();
    assert.equal(rows.length, 98);
    assert.equal(new Set(rows.map(({ seq }) => seq)).size, 98);
  });
});
