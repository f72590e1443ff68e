// A statement that would run for hours is ended: the request gets 503 in the envelope of all errors, and the log has its text.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { outageOfRequest } from '../../src/http/kernel/failure.ts';
import { publishLargePackage } from '../insight/large-package.ts';
import { forEachEngine } from '../support/engines.ts';

forEachEngine('a statement that takes too long', (engine) => {
  it('is ended after the limit, on the thread that answers and on those of searches', async () => {
    const database = await engine.openTestDatabase();
    const { ctx: filling } = await engine.openTestApp({ database });
    await publishLargePackage(filling, 'big');
    const { ctx } = await engine.openTestApp({ database, env: { REGISTRY_DATABASE_TIMEOUT_MS: '1000' } });
    const endless = sql`SELECT COUNT(*) AS n FROM package_versions a
      JOIN package_versions b ON a.version || b.version <> ${'secret'}
      JOIN package_versions c ON a.version || c.version <> b.version || c.name`;
    for (const queries of [ctx.store.read, ctx.store.search]) {
      const error: unknown = await endless.execute(queries).then(
        () => null,
        (thrown) => thrown,
      );
      const logged: Record<string, unknown>[] = [];
      const log = { warn: (fields: Record<string, unknown>) => logged.push(fields) } as unknown as typeof ctx.log;
      const answer = outageOfRequest({ ...ctx, log }, error, { route: '/v1/x' });
      assert.deepEqual([answer?.status, answer?.code], [503, 'service_unavailable']);
      assert.deepEqual(answer?.details, { reason: 'too_long' });
      assert.deepEqual([logged.length, logged[0]?.outage, logged[0]?.route], [1, 'too_long', '/v1/x']);
      assert.match(String(logged[0]?.statement), /^SELECT COUNT\(\*\) AS n FROM package_versions a/);
      assert.ok(!String(logged[0]?.statement).includes('secret'));
      const { rows } = await sql<{ n: number }>`SELECT COUNT(*) AS n FROM package_versions`.execute(queries);
      assert.equal(Number(rows[0]?.n), 1_000);
    }
  });
});
