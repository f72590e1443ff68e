// What a write costs on a server across the network: how often it waits for an answer.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { forEachEngine } from '../../../test/support/engines.ts';
import type { Context } from '../../context.ts';
import { createOrg } from '../orgs/create.ts';
import { createSource } from '../sources/create.ts';
import { writeReleases } from './write-batch.ts';

const releases = (major: number, count: number) =>
  Array.from({ length: count }, (_, minor) => ({
    title: `${major}.${minor}.0`,
    version: `${major}.${minor}.0`,
    content: `### Added\n- Part ${minor} of ${major}`,
    url: `https://acme.example/releases/${major}.${minor}.0`,
    publishedAt: '2026-01-02T00:00:00.000Z',
  }));

interface DriverQueue {
  _activeQuery: unknown;
  _sentQueryQueue: unknown[];
}

// Counts statements, and those that were sent while nothing else was under way.
async function counted(work: () => Promise<unknown>): Promise<{ statements: number; trips: number }> {
  const counts = { statements: 0, trips: 0 };
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function counting(this: pg.Client & DriverQueue, ...args: never[]) {
    counts.statements += 1;
    if (!this._activeQuery && this._sentQueryQueue.length === 0) counts.trips += 1;
    return (query as (...args: never[]) => never).apply(this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return counts;
}

async function sourceWithReleases(ctx: Context): Promise<string> {
  const org = await createOrg(ctx, { name: 'Acme' });
  const { id } = await createSource(ctx, { name: 'Kit', url: 'https://acme.example/kit', type: 'feed', orgId: org.id });
  await writeReleases(ctx, { path: { src: id }, rows: releases(1, 3) });
  return id;
}

forEachEngine('round trips of a write', (engine) => {
  // The embedded engine has none.
  if (engine.name !== 'postgres') return;

  it('sends statements of one release that do not depend on each other together', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await sourceWithReleases(ctx);
    const { statements, trips } = await counted(() => writeReleases(ctx, { path: { src }, rows: releases(2, 1) }));

    assert.ok(trips <= 26, `${trips} round trips`);
    assert.ok(statements > trips, `${statements} statements in ${trips} round trips`);
  });

  it('needs more for a larger batch only by the chunks of its inserts', async () => {
    const { ctx } = await engine.openTestApp();
    const src = await sourceWithReleases(ctx);
    const small = await counted(() => writeReleases(ctx, { path: { src }, rows: releases(2, 64) }));
    const large = await counted(() => writeReleases(ctx, { path: { src }, rows: releases(3, 320) }));

    assert.ok(large.trips - small.trips <= 16, `${small.trips} round trips for 64 releases, ${large.trips} for 320`);
  });
});
