// What a read costs on a server across the network: how often it waits for an answer; and what the server need not plan
// again.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { as } from '../../test/support/callers.ts';
import { forEachEngine } from '../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../test/support/factories.ts';
import { countRoundTrips } from '../../test/support/round-trips.ts';
import type { Context } from '../context.ts';
import { orgDetail } from '../entities/orgs/detail.ts';
import { listOrgs } from '../entities/orgs/list.ts';
import { readStats } from '../entities/registry/stats.ts';
import { latestReleases } from './feeds/latest.ts';
import { orgFeed } from './feeds/org.ts';

interface Read {
  name: string;
  maxTrips: number;
  // The first table of a statement whose plan the server keeps.
  planned: string;
  read(ctx: Context): Promise<unknown>;
}

const page = { limit: 20 };

const READS: readonly Read[] = [
  {
    name: 'the detail of an org',
    maxTrips: 2,
    planned: '"sources"',
    read: (ctx) => orgDetail(as(ctx, null), { org: 'acme' }),
  },
  {
    name: 'the feed of an org',
    maxTrips: 3,
    planned: '"releases"',
    read: (ctx) => orgFeed(ctx, { org: 'acme', filter: {}, page }),
  },
  {
    name: 'the newest releases',
    maxTrips: 2,
    planned: '"releases"',
    read: (ctx) => latestReleases(ctx, { scope: {}, filter: {}, page }),
  },
  {
    name: 'a page of orgs',
    maxTrips: 2,
    planned: '"orgs"',
    read: (ctx) => listOrgs(ctx, { page: 1, limit: 50 }),
  },
  {
    name: 'the figures of the registry',
    maxTrips: 1,
    planned: '"counted"',
    read: (ctx) => readStats(ctx, { days: 30 }),
  },
];

const MAX_ATTEMPTS = 5;
// A server makes five plans for single values before it keeps one.
const USES = 12;

forEachEngine('round trips of a read', (engine) => {
  // The embedded engine has none.
  if (engine.name !== 'postgres') return;

  const open = async () => {
    const { ctx } = await engine.openTestApp();
    const org = await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    const source = await createSource(ctx, { orgId: org.id });
    await postReleases(ctx, source.id, [releaseRow('1.0.0'), releaseRow('1.1.0')]);
    return ctx;
  };

  for (const { name, maxTrips, read } of READS) {
    it(`${name}: at most ${maxTrips}`, async () => {
      const ctx = await open();
      await read(ctx);
      // Background work may send a statement of its own on the same connection, but hardly each time.
      let { trips, statements } = await countRoundTrips(() => read(ctx));
      for (let attempt = 1; attempt < MAX_ATTEMPTS && trips > maxTrips; attempt += 1) {
        ({ trips, statements } = await countRoundTrips(() => read(ctx)));
      }

      assert.ok(trips <= maxTrips, `${trips} round trips`);
      assert.ok(statements >= trips);
    });
  }

  it('the plans of reads that are repeated are kept', async () => {
    const ctx = await open();
    for (let use = 0; use < USES; use += 1) for (const { read } of READS) await read(ctx);
    const { rows } = await sql<{ statement: string }>`
      SELECT statement FROM pg_prepared_statements WHERE generic_plans > 0`.execute(ctx.store.read);

    for (const { name, planned } of READS) {
      const isKept = rows.some(
        ({ statement }) => statement.includes(`from ${planned}`) && / limit | join /.test(statement),
      );
      assert.ok(isKept, name);
    }
  });
});
