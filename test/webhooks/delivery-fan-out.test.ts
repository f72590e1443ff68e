// From events to deliveries.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Context, transact } from '../../src/context.ts';
import { fanOut } from '../../src/webhooks/delivery/fan-out.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { HOOK_URL, newAccount, openWorld, setRow, subscribe, type World } from './fixture.ts';

let versions = 0;

async function post(ctx: Context, sourceId: string, more: Parameters<typeof releaseRow>[1] = {}, count = 1) {
  const rows = Array.from({ length: count }, () => {
    versions += 1;
    return releaseRow(`${versions}.0.0`, more);
  });
  await postReleases(ctx, sourceId, rows);
}

async function receivers(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.read.selectFrom('webhook_deliveries').select('subscription_id').execute();
  return rows.map((row) => row.subscription_id).sort();
}

async function forget(ctx: Context): Promise<void> {
  await transact(ctx, ({ tx }) => tx.deleteFrom('webhook_deliveries').execute(), 'bookkeeping');
}

async function follow(
  ctx: Context,
  userId: string,
  target: ['org' | 'product', string],
  at = ctx.clock(),
): Promise<void> {
  const row = { user_id: userId, target_type: target[0], target_id: target[1], created_at: at.toISOString() };
  await transact(ctx, ({ tx }) => tx.insertInto('follows').values(row).execute(), 'bookkeeping');
}

forEachEngine('fan-out', (engine) => {
  let opened: Promise<World> | null = null;
  const world = () => {
    opened ??= openWorld(engine);
    return opened;
  };

  it('every filter of a subscription to an org', async () => {
    const { ctx, clock, org, product, source, loose } = await world();
    const me = await newAccount(ctx);
    const made = async (input: Parameters<typeof subscribe>[1]) =>
      (await subscribe(me.ctx, { orgId: org.id, ...input })).id;
    const whole = await made({});
    const again = await made({});
    const bySource = await made({ sourceId: source.id });
    const byProduct = await made({ productId: product.id });
    const features = await made({ releaseType: 'feature' });
    const rollups = await made({ releaseType: 'rollup' });
    const stable = await made({ excludePrereleases: true });
    const off = await made({});
    await setRow(ctx, off, { enabled: 0 });
    const other = await createOrg(ctx);
    await subscribe(me.ctx, { orgId: other.id });
    clock.move(1);

    const cases: [string, string, Parameters<typeof releaseRow>[1], string[]][] = [
      ['of its source', source.id, {}, [whole, again, bySource, byProduct, features, stable]],
      ['of another source', loose.id, {}, [whole, again, features, stable]],
      ['a pre-release', loose.id, { prerelease: true }, [whole, again, features]],
      ['a rollup', loose.id, { type: 'rollup' }, [whole, again, rollups, stable]],
    ];
    for (const [name, sourceId, more, expected] of cases) {
      await post(ctx, sourceId, more);
      await fanOut(ctx);
      assert.deepEqual(await receivers(ctx), expected.sort(), name);
      await forget(ctx);
    }

    const late = await made({});
    await post(ctx, loose.id);
    await setRow(ctx, late, { created_at: new Date(clock().getTime() + 1).toISOString() });
    await fanOut(ctx);
    assert.ok(!(await receivers(ctx)).includes(late), 'made after the event');
    await forget(ctx);
  });

  it('follows of the moment, each release once', async () => {
    const { ctx, clock, org, product, source, loose } = await world();
    const both = await newAccount(ctx);
    const byProduct = await newAccount(ctx);
    const late = await newAccount(ctx);
    const nobody = await newAccount(ctx);
    const made = async (who: { ctx: Context }) => (await subscribe(who.ctx, { scope: 'follows', url: HOOK_URL })).id;
    const [forBoth, forProduct, forLate] = [await made(both), await made(byProduct), await made(late)];
    await made(nobody);
    await follow(ctx, both.userId, ['org', org.id]);
    await follow(ctx, both.userId, ['product', product.id]);
    await follow(ctx, byProduct.userId, ['product', product.id]);
    clock.move(1);
    const after = new Date(clock().getTime() + 1);
    await follow(ctx, late.userId, ['org', org.id], after);
    const ours = new Set([forBoth, forProduct, forLate]);
    const reported = async () => (await receivers(ctx)).filter((id) => ours.has(id));

    await post(ctx, source.id);
    await fanOut(ctx);
    assert.deepEqual(await reported(), [forBoth, forProduct].sort());
    await forget(ctx);

    await post(ctx, loose.id);
    await fanOut(ctx);
    assert.deepEqual(await reported(), [forBoth], 'no product, and a follow that came later');
    await forget(ctx);

    await post(ctx, loose.id, { prerelease: true });
    await fanOut(ctx);
    assert.deepEqual(await reported(), [], 'follows leave pre-releases out');

    clock.move(1);
    await post(ctx, loose.id);
    await fanOut(ctx);
    assert.deepEqual(await reported(), [forBoth, forLate].sort());
    await forget(ctx);
  });

  it('a source without an org reaches nobody', async () => {
    const { ctx } = await world();
    const { id } = await createSource(ctx);
    await post(ctx, id);

    assert.deepEqual(await fanOut(ctx), { events: 1, deliveries: 0 });
    assert.deepEqual(await fanOut(ctx), { events: 0, deliveries: 0 });
  });

  it('all of many events, in turns, and a repeated run adds nothing', async () => {
    const { ctx, clock } = await world();
    const { id: orgId } = await createOrg(ctx);
    const { id: sourceId } = await createSource(ctx, { orgId });
    const me = await newAccount(ctx);
    const { id } = await subscribe(me.ctx, { orgId });
    clock.move(1);
    await post(ctx, sourceId, {}, 450);
    const runs: number[] = [];
    for (let events = -1; events !== 0; ) {
      ({ events } = await fanOut(ctx));
      runs.push(events);
    }
    assert.deepEqual(runs, [200, 200, 50, 0]);
    const rows = await ctx.store.read.selectFrom('webhook_deliveries').selectAll().orderBy('event_seq').execute();
    assert.deepEqual([rows.length, new Set(rows.map((row) => row.event_id)).size], [450, 450]);
    assert.ok(rows.every((row) => row.subscription_id === id && row.state === 'pending' && row.attempt === 1));
    const row = await ctx.store.read
      .selectFrom('webhook_subscriptions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    assert.equal(row?.next_due_at, clock().toISOString());

    await transact(
      ctx,
      ({ tx }) => tx.updateTable('events').set({ fanned_out_at: null }).where('source_id', '=', sourceId).execute(),
      'bookkeeping',
    );
    while ((await fanOut(ctx)).events > 0);
    assert.equal((await receivers(ctx)).length, 450);
    await forget(ctx);
  });

  it('several workers at the same time take each event once', async () => {
    const database = await engine.openTestDatabase();
    const clock = (await world()).clock;
    const one = await engine.openTestApp({ database, clock });
    const apps = [one, await engine.openTestApp({ database, clock })];
    const { ctx } = one;
    const { id: orgId } = await createOrg(ctx);
    const { id: sourceId } = await createSource(ctx, { orgId });
    const me = await newAccount(ctx);
    await subscribe(me.ctx, { orgId, url: 'https://93.184.216.34/' });
    clock.move(1);
    await post(ctx, sourceId, {}, 500);

    const taken = await Promise.all(
      apps.map(async (app) => {
        let sum = 0;
        for (let events = -1; events !== 0; sum += events) ({ events } = await fanOut(app.ctx));
        return sum;
      }),
    );

    const rows = await receivers(ctx);
    const { count } = await ctx.store.read
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('fanned_out_at', 'is', null)
      .executeTakeFirstOrThrow();
    assert.deepEqual([(taken[0] ?? 0) + (taken[1] ?? 0), rows.length, Number(count)], [500, 500, 0]);
  });
});
