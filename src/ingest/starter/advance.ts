// Reads the well-known packages of a new registry, a few at a time and behind everything that somebody waits for: first what each
// publishes and its notes, then its last two major steps.

import { type Context, plainAnswer, transact } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { askerPriority } from '../../domain/readings/reading.ts';
import { findPackage } from '../../packages/details/known-package.ts';
import { majorSteps } from '../../packages/details/steps.ts';
import { versionsOfPackage } from '../../packages/details/versions.ts';
import { orderReadings, type WantedReading } from '../../packages/readings/order.ts';
import { addShown } from '../../packages/whats-changed/note-asked.ts';
import type { StarterPackageRow } from '../../store/schema/shown-upgrades.ts';

const AT_ONCE = 4;
const STEPS = 2;
// So many in a row that no registry answers are all.
const UNREACHED = 4;

export async function advanceStarter(called: Context): Promise<void> {
  const ctx: Context = { ...called, caller: SYSTEM, answer: plainAnswer() };
  const open = await rowsIn(ctx, ['listing', 'steps']);
  let running = 0;
  for (const row of open) if (!(await advanceOne(ctx, row))) running += 1;
  if (await isUnreached(ctx)) {
    ctx.log.info('no package registry answers, so the well-known packages are not read; the next start tries again');
    return;
  }
  const next = running < AT_ONCE ? (await rowsIn(ctx, ['waiting'])).slice(0, AT_ONCE - running) : [];
  for (const row of next) {
    await order(ctx, row, [{ from: null, to: null, missing: { listing: true, comparison: false, notes: true } }]);
    await setState(ctx, row, 'listing');
  }
}

function rowsIn(ctx: Context, states: readonly StarterPackageRow['state'][]): Promise<StarterPackageRow[]> {
  return ctx.store.read
    .selectFrom('starter_packages')
    .selectAll()
    .where('state', 'in', states)
    .orderBy('place')
    .execute();
}

// False while it is being read.
async function advanceOne(ctx: Context, row: StarterPackageRow): Promise<boolean> {
  const open = await ctx.store.read
    .selectFrom('readings')
    .select('id')
    .where('ecosystem', '=', row.ecosystem)
    .where('name', '=', row.name)
    .where('ended_at', 'is', null)
    .limit(1)
    .execute();
  if (open.length > 0) return false;
  if (row.state === 'steps') {
    await setState(ctx, row, 'done');
    return true;
  }
  const known = await findPackage(ctx, row);
  if (!known?.state?.listed_at) {
    await setState(ctx, row, 'failed');
    return true;
  }
  const steps = majorSteps(await versionsOfPackage(ctx, known)).slice(0, STEPS);
  if (steps.length > 0) {
    const missing = { listing: false, comparison: true, notes: false };
    await order(
      ctx,
      row,
      steps.map((step) => ({ ...step, missing })),
    );
  }
  await setState(ctx, row, steps.length > 0 ? 'steps' : 'done');
  return true;
}

type Wanted = Pick<WantedReading, 'from' | 'to' | 'missing'>;

async function order(ctx: Context, { ecosystem, name }: StarterPackageRow, wanted: readonly Wanted[]): Promise<void> {
  await orderReadings(
    ctx,
    wanted.map((one) => ({ ecosystem, name, spelling: name, ...one })),
    'starter',
  );
}

// An operator may have stopped it meanwhile.
async function setState(ctx: Context, row: StarterPackageRow, state: StarterPackageRow['state']): Promise<void> {
  await transact(
    ctx,
    async ({ tx }) => {
      const { ecosystem, name } = row;
      await tx
        .updateTable('starter_packages')
        .set({ state })
        .where('ecosystem', '=', ecosystem)
        .where('name', '=', name)
        .where('state', '=', row.state)
        .execute();
      if (state === 'steps') await addShown(tx, [{ ecosystem, name, times: 0 }]);
    },
    'bookkeeping',
  );
}

// The first packages all failed because nobody answered: the others would fail as well.
async function isUnreached(ctx: Context): Promise<boolean> {
  const first = await ctx.store.read
    .selectFrom('starter_packages')
    .select('state')
    .where('state', 'not in', ['waiting', 'listing'])
    .orderBy('place')
    .limit(UNREACHED + 1)
    .execute();
  if (first.length < UNREACHED || first.some(({ state }) => state !== 'failed')) return false;
  const answered = await ctx.store.read
    .selectFrom('readings')
    .select('id')
    .where('priority', '=', askerPriority('starter'))
    .where('state', '=', 'failed')
    .where('reason', 'not like', '%did not answer')
    .limit(1)
    .execute();
  if (answered.length > 0) return false;
  await transact(
    ctx,
    ({ tx }) =>
      tx.updateTable('starter_packages').set({ state: 'unreached' }).where('state', '<>', 'stopped').execute(),
    'bookkeeping',
  );
  return true;
}
