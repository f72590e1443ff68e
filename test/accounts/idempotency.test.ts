import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runOnce } from '../../src/accounts/idempotency.ts';
import { type Context, transact } from '../../src/context.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { createFakeTimers } from '../../src/net/fake-timers.fixture.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';

const CALL = { callerKey: 'root', key: 'k'.repeat(16), fingerprint: 'f1' };

async function plant(ctx: Context, name: string): Promise<void> {
  await transact(ctx, (ctx) =>
    ctx.tx.insertInto('settings').values({ key: name, value: '1', updated_at: '' }).execute(),
  );
}

async function planted(ctx: Context): Promise<string[]> {
  const rows = await ctx.store.read.selectFrom('settings').select('key').orderBy('key').execute();
  return rows.map((row) => row.key);
}

function answer(body: unknown, repeatable = body) {
  return { status: 201, body, headers: { Location: '/v1/x/1', 'X-Other': '1' }, repeatable };
}

function planting(name: string) {
  return async (ctx: Context) => {
    await plant(ctx, name);
    return answer({ name, secret: 's' }, { name });
  };
}

function code(expected: string) {
  return (error: unknown) => error instanceof ApiError && error.code === expected;
}

forEachEngine('idempotency', (engine) => {
  it('repeats status, body and location, without what is shown once, and runs nothing', async () => {
    const { ctx } = await engine.openTestApp();

    const first = await runOnce(ctx, CALL, planting('a'));
    const second = await runOnce(ctx, CALL, planting('b'));

    assert.equal(first.replayed, false);
    assert.deepEqual(first.reply.body, { name: 'a', secret: 's' });
    assert.equal(second.replayed, true);
    assert.deepEqual(
      { status: second.reply.status, body: second.reply.body, headers: second.reply.headers },
      { status: 201, body: { name: 'a' }, headers: { Location: '/v1/x/1' } },
    );
    assert.deepEqual(await planted(ctx), ['a']);
  });

  it('keeps the keys of callers apart and refuses a key of another request', async () => {
    const { ctx } = await engine.openTestApp();
    await runOnce(ctx, CALL, planting('a'));

    await runOnce(ctx, { ...CALL, callerKey: 'token' }, planting('b'));
    await assert.rejects(runOnce(ctx, { ...CALL, fingerprint: 'f2' }, planting('c')), code('idempotency_conflict'));

    assert.deepEqual(await planted(ctx), ['a', 'b']);
  });

  it('has one effect for 20 callers at once, on two processes', async () => {
    const database = await engine.openTestDatabase();
    const { ctx } = await engine.openTestApp({ database });
    const { ctx: other } = await engine.openTestApp({ database });
    let runs = 0;

    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        runOnce(index % 2 === 0 ? ctx : other, CALL, async (ctx) => {
          runs += 1;
          return planting('once')(ctx);
        }),
      ),
    );

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.code);
    const answered = outcomes.filter((outcome) => outcome.status === 'fulfilled').map((outcome) => outcome.value);
    assert.equal(runs, 1);
    assert.equal(answered.filter((one) => !one.replayed).length, 1);
    assert.ok(refused.every((one) => one === 'idempotency_in_progress'));
    assert.deepEqual(await planted(ctx), ['once']);
    assert.equal((await runOnce(ctx, CALL, planting('late'))).replayed, true);
  });

  it('says that the first request is running, and to try again in a second', async () => {
    const { ctx } = await engine.openTestApp();

    await runOnce(ctx, CALL, async (inner) => {
      await assert.rejects(runOnce(ctx, CALL, planting('second')), (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.headers], ['idempotency_in_progress', { 'Retry-After': '1' }]);
        return true;
      });
      return planting('first')(inner);
    });

    assert.deepEqual(await planted(ctx), ['first']);
  });

  it('undoes a failed request and frees its key', async () => {
    const { ctx } = await engine.openTestApp();

    const failing = runOnce(ctx, CALL, async (ctx) => {
      await plant(ctx, 'half');
      throw new ApiError('conflict', 'taken');
    });
    await assert.rejects(failing, code('conflict'));
    const refusal = await runOnce(ctx, CALL, async () => ({ ...answer({ error: {} }), status: 404 }));
    const third = await runOnce(ctx, { ...CALL, fingerprint: 'f2' }, planting('good'));

    assert.equal(refusal.reply.status, 404);
    assert.equal(third.replayed, false);
    assert.deepEqual(await planted(ctx), ['good']);
  });

  it('gives up a run that died after 4 s, and that run has no effect when it was only slow', async () => {
    const clock = movableClock('2026-03-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('idempotency')
          .values({
            caller_key: CALL.callerKey,
            key: CALL.key,
            fingerprint: CALL.fingerprint,
            state: 'running',
            created_at: clock().toISOString(),
            expires_at: '2026-03-02T00:00:00.000Z',
          })
          .execute(),
      'bookkeeping',
    );

    clock.move(3_999);
    await assert.rejects(runOnce(ctx, CALL, planting('a')), code('idempotency_in_progress'));
    clock.move(1);
    const slow = runOnce(ctx, CALL, async (inner) => {
      await plant(inner, 'slow');
      await inner.tx?.deleteFrom('idempotency').execute();
      return answer({});
    });

    await assert.rejects(slow, code('idempotency_in_progress'));
    assert.deepEqual(await planted(ctx), []);
    clock.move(4_000);
    assert.equal((await runOnce(ctx, CALL, planting('b'))).replayed, false);
  });

  it('stays with a run that is alive in its transaction, however long', async () => {
    const clock = movableClock('2026-03-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const timers = createFakeTimers();
    const started = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const slow = runOnce(ctx, { ...CALL, timers }, async (inner) => {
      started.resolve();
      await answered.promise;
      return planting('slow')(inner);
    });
    await started.promise;
    // With one writer the transaction itself holds the others up, and nothing is renewed.
    const renews = engine.name === 'postgres';
    for (let beat = 0; beat < 6; beat += 1) {
      if (renews) await timers.set(1_000);
      clock.move(1_000);
      timers.advance(1_000);
    }
    if (renews) await timers.set(1_000);

    const second = runOnce(ctx, CALL, planting('second'));
    if (renews) await assert.rejects(second, code('idempotency_in_progress'));
    answered.resolve();

    assert.equal((await slow).replayed, false);
    if (!renews) assert.equal((await second).replayed, true);
    assert.equal((await runOnce(ctx, CALL, planting('third'))).replayed, true);
    assert.deepEqual(await planted(ctx), ['slow']);
  });

  it('forgets an answer after 24 h', async () => {
    const clock = movableClock('2026-03-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    await runOnce(ctx, CALL, planting('a'));

    clock.move(24 * 3_600_000 - 1);
    assert.equal((await runOnce(ctx, CALL, planting('b'))).replayed, true);
    clock.move(1);
    assert.equal((await runOnce(ctx, { ...CALL, fingerprint: 'f9' }, planting('c'))).replayed, false);

    assert.deepEqual(await planted(ctx), ['a', 'c']);
  });

  it('runs nothing when the key cannot be stored', async () => {
    const { ctx } = await engine.openTestApp();
    await ctx.store.transaction((tx) => tx.schema.dropTable('idempotency').execute(), 'bookkeeping');

    await assert.rejects(runOnce(ctx, CALL, planting('a')), code('idempotency_unavailable'));

    assert.deepEqual(await planted(ctx), []);
  });
});

forEachEngine('idempotency of work that asks other servers', (engine) => {
  const OUTBOUND = { ...CALL, outbound: true };

  it('has no transaction around it, and its answer is repeated', async () => {
    const { ctx } = await engine.openTestApp();

    const first = await runOnce(ctx, OUTBOUND, async (inner) => {
      assert.equal(inner.tx, undefined);
      return planting('a')(inner);
    });
    const second = await runOnce(ctx, OUTBOUND, planting('b'));

    assert.deepEqual([first.replayed, second.replayed, second.reply.body], [false, true, { name: 'a' }]);
    assert.deepEqual(await planted(ctx), ['a']);
  });

  it('keeps the key while it runs, however long, and other writers do not wait for it', async () => {
    const clock = movableClock('2026-03-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const timers = createFakeTimers();
    const { promise: answered, resolve: finish } = Promise.withResolvers<void>();
    const slow = runOnce(ctx, { ...OUTBOUND, timers }, async (inner) => {
      await answered;
      return planting('slow')(inner);
    });

    for (let beat = 0; beat < 6; beat += 1) {
      await timers.set(1_000);
      clock.move(1_000);
      timers.advance(1_000);
    }
    await timers.set(1_000);
    await plant(ctx, 'meanwhile');
    await assert.rejects(runOnce(ctx, OUTBOUND, planting('second')), code('idempotency_in_progress'));
    finish();

    assert.equal((await slow).replayed, false);
    assert.equal((await runOnce(ctx, OUTBOUND, planting('third'))).replayed, true);
    assert.deepEqual(await planted(ctx), ['meanwhile', 'slow']);
  });

  it('frees the key of a failure at once, and of a process that died after 4 s', async () => {
    const clock = movableClock('2026-03-01T00:00:00.000Z');
    const { ctx } = await engine.openTestApp({ clock });
    const failing = runOnce(ctx, OUTBOUND, async () => {
      throw new ApiError('upstream_error', 'no answer');
    });
    await assert.rejects(failing, code('upstream_error'));
    // The timers never fire, so the claim is never renewed, like that of a killed process.
    const timers = { now: () => 0, after: () => () => {} };
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    void runOnce(ctx, { ...OUTBOUND, timers }, () => {
      start();
      return new Promise(() => {});
    });
    await started;

    clock.move(3_999);
    await assert.rejects(runOnce(ctx, OUTBOUND, planting('early')), code('idempotency_in_progress'));
    clock.move(1);

    assert.equal((await runOnce(ctx, OUTBOUND, planting('late'))).replayed, false);
    assert.deepEqual(await planted(ctx), ['late']);
  });

  it('tells its caller what was done, also when the answer cannot be kept', async () => {
    const { ctx } = await engine.openTestApp();

    const { reply } = await runOnce(ctx, OUTBOUND, async (inner) => {
      await inner.store.transaction((tx) => tx.deleteFrom('idempotency').execute(), 'bookkeeping');
      return planting('done')(inner);
    });

    assert.equal(reply.status, 201);
    assert.deepEqual(await planted(ctx), ['done']);
  });
});
