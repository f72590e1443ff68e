// Coverage by meaning: decided in a job, once the vectors exist.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Ports } from '../../src/context.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases } from '../support/factories.ts';

const MINUTE = 60_000;
const ONE = 'Audit logs for Enterprise';
const OTHER = 'Exports of the audit trail';

// Two vectors with this cosine.
function apart(cosine: number): [Float32Array, Float32Array] {
  return [Float32Array.of(1, 0), Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))];
}

forEachEngine('coverage by meaning', (engine) => {
  async function setUp(titles: [string, string], cosine: number, env: Record<string, string> = {}) {
    const known = new Map<string, Float32Array>();
    const vectors: Ports['vectors'] = {
      search: async () => ({ hits: [] }),
      stored: async (_ctx, { ref }) => {
        const vector = known.get(ref);
        return vector ? { vector } : { degraded: 'anchor_not_embedded' };
      },
      follow: async () => {},
      status: () => ({ space: 'hand', counts: { release: 0, chunk: 0, entity: 0 }, weight: 1 }),
      close: async () => {},
    };
    const clock = movableClock('2026-03-01T12:00:00.000Z');
    const { ctx } = await engine.openTestApp({
      clock,
      env: { REGISTRY_EMBEDDER: 'local', ...env },
      ports: { vectors },
    });
    const org = await createOrg(ctx);
    const sources = [
      await createSource(ctx, { orgId: org.id, fetchPriority: 'paused', isPrimary: true }),
      await createSource(ctx, { orgId: org.id, fetchPriority: 'paused' }),
    ];
    for (const [index, source] of sources.entries()) {
      const row = {
        title: titles[index] ?? '',
        content: 'Text',
        url: `https://acme.dev/${index}`,
        publishedAt: '2026-02-28T00:00:00Z',
      };
      await postReleases(ctx, source.id, [row], { silent: true });
    }
    const embed = async () => {
      const rows = await ctx.store.read.selectFrom('releases').select('id').orderBy('seq').execute();
      for (const [index, { id }] of rows.entries()) known.set(id, apart(cosine)[index] ?? Float32Array.of(0, 1));
    };
    const work = async (minutes: number) => {
      clock.move(minutes * MINUTE);
      await createWorker(ctx, { tasks: createFetching() }).drain();
      return ctx.store.read.selectFrom('release_coverage').selectAll().execute();
    };
    const jobs = async () =>
      (await ctx.store.read.selectFrom('jobs').select('key').where('kind', '=', 'coverage').execute()).length;
    return { ctx, embed, work, jobs };
  }

  const cases: [name: string, titles: [string, string], cosine: number, reason: string | null][] = [
    ['near in meaning, with a word in common', [ONE, OTHER], 0.95, 'vector:0.95'],
    ['not near enough', [ONE, OTHER], 0.74, null],
    ['near, but without a word in common', [ONE, 'A trail of what was done'], 0.97, null],
  ];
  for (const [name, titles, cosine, reason] of cases) {
    it(`${name}: ${reason ?? 'separate'}`, async () => {
      const { embed, work, jobs } = await setUp(titles, cosine);
      await embed();

      const links = await work(5);

      assert.deepEqual(
        links.map((link) => [link.reason, link.decided_by]),
        reason === null ? [] : [[reason, 'system:coverage']],
      );
      assert.equal(await jobs(), 0);
    });
  }

  it('waits for the vectors, and for another threshold counts another one', async () => {
    const { ctx, embed, work, jobs } = await setUp([ONE, OTHER], 0.74, { REGISTRY_COVERAGE_COSINE: '0.7' });

    assert.deepEqual(await work(5), []);
    assert.equal(await jobs(), 2);
    await embed();
    const [link] = await work(15);

    assert.equal(link?.reason, 'vector:0.74');
    const [primary, second] = await ctx.store.read.selectFrom('releases').selectAll().orderBy('seq').execute();
    assert.deepEqual([link?.canonical_id, link?.coverage_id], [primary?.id, second?.id]);
    assert.deepEqual([second?.coverage_of, second?.listing, primary?.coverage_count], [primary?.id, 1, 1]);
    assert.equal(await jobs(), 0);
  });

  it('without an embedder nothing is ordered', async () => {
    const { jobs } = await setUp([ONE, OTHER], 1, { REGISTRY_EMBEDDER: 'off' });
    assert.equal(await jobs(), 0);
  });
});
