// What a read costs on a server across the network: how often it waits for an answer.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../test/support/engines.ts';
import { countRoundTrips } from '../../test/support/round-trips.ts';
import type { Context } from '../context.ts';
import { createOrg } from './orgs/create.ts';
import { orgDetail } from './orgs/detail.ts';
import { listOrgs } from './orgs/list.ts';
import { readStats } from './registry/stats.ts';
import { createSource } from './sources/create.ts';

const READS: readonly [name: string, maxTrips: number, read: (ctx: Context) => Promise<unknown>][] = [
  ['the detail of an org', 3, (ctx) => orgDetail(ctx, { org: 'acme' })],
  ['a page of orgs', 2, (ctx) => listOrgs(ctx, { page: 1, limit: 50, includeEmpty: true })],
  ['the figures of the registry', 2, (ctx) => readStats(ctx, { days: 30 })],
];

const MAX_ATTEMPTS = 5;

forEachEngine('round trips of a read', (engine) => {
  // The embedded engine has none.
  if (engine.name !== 'postgres') return;

  for (const [name, maxTrips, read] of READS) {
    it(`${name}: at most ${maxTrips}`, async () => {
      const { ctx } = await engine.openTestApp();
      const org = await createOrg(ctx, { name: 'Acme' });
      await createSource(ctx, { name: 'Kit', url: 'https://acme.example/kit', type: 'feed', orgId: org.id });
      await read(ctx);
      // Background work may send a statement of its own on the same connection, but hardly each time.
      let { trips, statements } = await countRoundTrips(() => read(ctx));
      for (let attempt = 1; attempt < MAX_ATTEMPTS && trips > maxTrips; attempt += 1) {
        ({ trips, statements } = await countRoundTrips(() => read(ctx)));
      }

      assert.ok(trips <= maxTrips, `${trips} round trips`);
      assert.ok(statements > trips, 'statements share a round trip');
    });
  }
});
