// A release that is judged after its event reaches the webhooks whose filter it passes only then, once.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { rederiveReleases } from '../../src/insight/rederivation/rederive-releases.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { storeRefinedFields } from '../../src/releases/write/refine.ts';
import type { ReleaseRow } from '../../src/store/schema/releases.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { fanOutLateVerdicts } from '../../src/webhooks/delivery/late-verdicts.ts';
import { readMessages } from '../../src/webhooks/delivery/messages.ts';
import { noteReclassified } from '../../src/webhooks/reclassified.ts';
import { replayDelivery } from '../../src/webhooks/replay/one.ts';
import { replayRange } from '../../src/webhooks/replay/range.ts';
import { forEachEngine } from '../support/engines.ts';
import { postReleases, releaseRow } from '../support/factories.ts';
import { type Delivering, deliveriesOf, openDelivering, subscribeTo } from './delivery-fixture.ts';

const DAY_MS = 86_400_000;

forEachEngine('a late verdict', (engine) => {
  async function open(t: Parameters<typeof openDelivering>[0]) {
    const here = await openDelivering(t, engine);
    const ids = {
      breaking: await subscribeTo(here, '/breaking', { minBreaking: 'major' }),
      important: await subscribeTo(here, '/important', { minImportance: 5 }),
      all: await subscribeTo(here, '/all'),
      rollups: await subscribeTo(here, '/rollups', { minBreaking: 'major', releaseType: 'rollup' }),
    };
    here.clock.move(1000);
    return { ...here, ids };
  }

  let versions = 0;
  async function announce({ ctx, sourceId }: Delivering, more: object = {}): Promise<string> {
    versions += 1;
    const row = releaseRow(`2.${versions}.0`, { breaking: 'unknown', importance: 2, type: 'feature', ...more });
    const { insertedIds } = await postReleases(ctx, sourceId, [row]);
    await fanOut(ctx);
    return insertedIds[0] ?? '';
  }

  const rowOf = (ctx: Context, id: string): Promise<ReleaseRow> =>
    ctx.store.read.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const counts = async ({ ctx, ids }: Awaited<ReturnType<typeof open>>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, id]) => [name, (await deliveriesOf(ctx, id)).length] as const),
      ),
    );
  const settle = async (ctx: Context) => {
    while ((await fanOutLateVerdicts(ctx)) > 0);
  };
  const bodyOf = async (ctx: Context, subscriptionId: string) => {
    const deliveries = await deliveriesOf(ctx, subscriptionId);
    const messages = await readMessages(ctx, deliveries);
    return deliveries.map(({ id }) => (messages.has(id) ? JSON.parse(messages.get(id) ?? '') : null));
  };

  it('of a model is delivered once, with the event’s own id and a reason, where it was not delivered', async (t) => {
    const here = await open(t);
    const { ctx, ids } = here;
    const release = await rowOf(ctx, await announce(here));
    assert.deepEqual(await counts(here), { breaking: 0, important: 0, all: 1, rollups: 0 });
    assert.equal(await storeRefinedFields(ctx, release, { breaking: 'major' }), true);
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 1, important: 0, all: 1, rollups: 0 });
    const [event] = await ctx.store.read.selectFrom('events').selectAll().execute();
    const [body] = await bodyOf(ctx, ids.breaking);
    assert.deepEqual(
      [body.id, body.seq, body.ts, body.type, body.reason, body.release.breaking],
      [event?.id, event?.seq, event?.ts, 'release.created', 'reclassified', 'major'],
    );
    assert.equal(JSON.parse(event?.payload ?? '').release.breaking, 'unknown', 'the stored event stays');

    // Judged again: only who has not heard of it yet does.
    await patchRelease(ctx, release.id, { importance: 5 });
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 1, important: 1, all: 1, rollups: 0 });
    await patchRelease(ctx, release.id, { breaking: 'none' });
    await patchRelease(ctx, release.id, { breaking: 'major' });
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 1, important: 1, all: 1, rollups: 0 });
    const events = await ctx.store.read.selectFrom('events').select('id').execute();
    assert.equal(events.length, 1, 'nothing new for the stream');
  });

  it('is not the work of new rules', async (t) => {
    const here = await open(t);
    const { ctx, sourceId } = here;
    const content = '- Removed the `--legacy` flag';
    const id = await announce(here, { content, breaking: 'none' });
    await transact(ctx, async ({ tx }) => {
      await tx.updateTable('releases').set({ origin: 'feed' }).where('id', '=', id).execute();
      await tx.deleteFrom('derivations').where('source_id', '=', sourceId).execute();
    });
    while (await rederiveReleases(ctx));
    assert.equal((await rowOf(ctx, id)).breaking, 'major');
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 0, important: 0, all: 1, rollups: 0 });
  });

  it('comes too late after 30 days, and for a release that is not public any more', async (t) => {
    const here = await open(t);
    const { ctx, clock } = here;
    const old = await announce(here);
    clock.move(30 * DAY_MS + 1000);
    const fresh = await announce(here);
    await patchRelease(ctx, old, { breaking: 'major' });
    await patchRelease(ctx, fresh, { breaking: 'major' });
    await transact(ctx, ({ tx }) =>
      tx.updateTable('releases').set({ suppressed: 1, listing: 0 }).where('id', '=', fresh).execute(),
    );
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 0, important: 0, all: 2, rollups: 0 });
    assert.deepEqual(await ctx.store.read.selectFrom('reclassifications').selectAll().execute(), []);
  });

  it('is replayed with the same bytes, alone and in a range', async (t) => {
    const here = await open(t);
    const { ctx, ids } = here;
    const id = await announce(here);
    await patchRelease(ctx, id, { breaking: 'major' });
    await settle(ctx);
    const [delivery] = await deliveriesOf(ctx, ids.breaking);
    await replayDelivery(ctx, { id: ids.breaking, owner: 'operator', deliveryId: delivery?.id ?? '' });
    const range = { since: '2026-02-01' };
    const queued = await replayRange(ctx, { id: ids.breaking, owner: 'operator', range });
    assert.deepEqual([queued.matched, queued.queued], [1, 1]);
    const bodies = await bodyOf(ctx, ids.breaking);
    assert.equal(bodies.length, 3);
    assert.deepEqual(bodies[1], bodies[0]);
    assert.deepEqual([bodies[2].id, bodies[2].reason], [bodies[0].id, 'reclassified']);
  });

  it('survives a worker that dies before its transaction ends', async (t) => {
    const here = await open(t);
    const { ctx } = here;
    const id = await announce(here);
    await patchRelease(ctx, id, { breaking: 'major' });
    const dying = { ...ctx, randomBytes: () => assert.fail('killed') };
    await assert.rejects(fanOutLateVerdicts(dying));
    assert.deepEqual(await counts(here), { breaking: 0, important: 0, all: 1, rollups: 0 });
    await settle(ctx);
    await settle(ctx);
    assert.deepEqual(await counts(here), { breaking: 1, important: 0, all: 1, rollups: 0 });
  });

  it('of a proof counts as a major break, whatever the notes say', async (t) => {
    const here = await open(t);
    const { ctx, ids } = here;
    const id = await announce(here, { breaking: 'none' });
    await transact(ctx, async (ctx) => {
      await ctx.tx.updateTable('releases').set({ proven: 1 }).where('id', '=', id).execute();
      await noteReclassified(ctx, [id]);
    });
    await settle(ctx);
    const [body] = await bodyOf(ctx, ids.breaking);
    assert.deepEqual([body.release.breaking, body.release.proven, body.reason], ['none', true, 'reclassified']);
  });
});
