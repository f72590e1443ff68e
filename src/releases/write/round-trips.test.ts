// What a write costs on a server across the network: how often it waits for an answer.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { countRoundTrips } from '../../../test/support/round-trips.ts';
import type { Context } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { createOrg } from '../../entities/orgs/create.ts';
import { resolveSource } from '../../entities/resolve.ts';
import { createSource } from '../../entities/sources/create.ts';
import { writeReleases } from './write-batch.ts';

const releases = (major: number, count: number) =>
  Array.from({ length: count }, (_, minor) => ({
    title: `${major}.${minor}.0`,
    version: `${major}.${minor}.0`,
    content: `### Added\n- Part ${minor} of ${major}`,
    url: `https://acme.example/releases/${major}.${minor}.0`,
    // Weeks apart, so that none is told twice.
    publishedAt: new Date(Date.UTC(2016, 0, 2) + minor * 7 * 86_400_000).toISOString(),
  }));

// Their writes have an audit row.
const asOperator = (ctx: Context): Context => ({ ...ctx, caller: { ...SYSTEM, kind: 'root', name: 'root' } });

async function sourceWithReleases(ctx: Context): Promise<string> {
  const org = await createOrg(ctx, { name: 'Acme' });
  const { id } = await createSource(ctx, { name: 'Kit', url: 'https://acme.example/kit', type: 'feed', orgId: org.id });
  await writeReleases(ctx, { path: { src: id }, rows: releases(1, 3) });
  return id;
}

// Another source of the same org, with releases of the same days.
async function neighbourOf(ctx: Context, src: string): Promise<void> {
  const { source } = await resolveSource(ctx, { src });
  const orgId = source.org_id ?? undefined;
  const { id } = await createSource(ctx, { name: 'News', url: 'https://acme.example/news', type: 'feed', orgId });
  await writeReleases(ctx, { path: { src: id }, rows: releases(9, 320) });
}

forEachEngine('round trips of a write', (engine) => {
  // The embedded engine has none.
  if (engine.name !== 'postgres') return;

  it('sends statements of one release that do not depend on each other together', async () => {
    const ctx = asOperator((await engine.openTestApp()).ctx);
    const src = await sourceWithReleases(ctx);
    const { statements, trips } = await countRoundTrips(() =>
      writeReleases(ctx, { path: { src }, rows: releases(2, 1) }),
    );

    assert.ok(trips <= 9, `${trips} round trips`);
    assert.ok(statements <= 36, `${statements} statements`);
  });

  it('does so where other sources may tell of the same launch', async () => {
    const ctx = asOperator((await engine.openTestApp({ env: { REGISTRY_EMBEDDER: 'local' } })).ctx);
    const src = await sourceWithReleases(ctx);
    await neighbourOf(ctx, src);
    const { trips } = await countRoundTrips(() => writeReleases(ctx, { path: { src }, rows: releases(2, 1) }));

    assert.ok(trips <= 12, `${trips} round trips`);
  });

  it('needs no more of them for a larger batch', async () => {
    const ctx = asOperator((await engine.openTestApp()).ctx);
    const src = await sourceWithReleases(ctx);
    await neighbourOf(ctx, src);
    const small = await countRoundTrips(() => writeReleases(ctx, { path: { src }, rows: releases(2, 64) }));
    const large = await countRoundTrips(() => writeReleases(ctx, { path: { src }, rows: releases(3, 320) }));

    // The rows may be stored before the last of their words are sent.
    assert.ok(large.trips - small.trips <= 1, `${small.trips} round trips for 64 releases, ${large.trips} for 320`);
    // Chunks of releases, of their words and of events.
    const more = large.statements - small.statements;
    assert.ok(more <= 12, `${more} more statements for 320 releases than for 64`);
  });
});
