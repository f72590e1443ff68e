// Feeds read page by page: each row once, in order, whatever arrives meanwhile.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { versionSort } from '../../src/domain/versions/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

type Row = { id: string; version: string; publishedAt: string | null; fetchedAt: string };

// Undated rows that were imported without an announcement have no order time.
const silent = new Set<string>();
const orderTime = ({ id, publishedAt, fetchedAt }: Row) => publishedAt ?? (silent.has(id) ? '' : fetchedAt);
const key = (row: Row) => [orderTime(row), versionSort(row.version), row.id].join(' ');

async function walk(service: Service, path: string, limit: number, between: () => Promise<void>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const join = path.includes('?') ? '&' : '?';
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { status, body } = await service.anonymous.get(`${path}${join}limit=${limit}${query}`);
    assert.equal(status, 200);
    assert.equal(body.pagination.limit, limit);
    rows.push(...body.releases);
    cursor = body.pagination.nextCursor;
    if (cursor) await between();
  } while (cursor);
  return rows;
}

// Few different times, so that ties and undated rows are common.
const TIMES = [undefined, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-02T10:00:00.000Z'];
const times = fc.constantFrom(...TIMES);
// Enough for several pages on every path, whatever else is drawn.
const MANY_TIMES = [...TIMES, ...TIMES, ...TIMES];

forEachEngine('paging', (engine) => {
  it('gives each row once and in order, with ties, undated rows and rows that arrive in between', async () => {
    const app = await engine.openTestApp();
    const service = await startService(app);
    let made = 0;
    const rows = (dates: (string | undefined)[]): ReleaseInput[] =>
      dates.map((publishedAt) => {
        made += 1;
        return releaseRow(`1.0.${made}`, { publishedAt, content: `- Added walkable thing ${made}` });
      });
    const quiet: string[] = [];

    await fc.assert(
      fc.asyncProperty(fc.array(times, { maxLength: 12 }), fc.array(times, { maxLength: 3 }), async (first, later) => {
        // Every run has an organization of its own: a walk over the rows of all runs costs more with each of them.
        const org = await createOrg(app.ctx);
        const { id: busy } = await createSource(app.ctx, { orgId: org.id });
        const { id: calm } = await createSource(app.ctx, { orgId: org.id });
        quiet.push(calm);
        for (const source of [busy, calm]) await postReleases(app.ctx, source, rows(first));
        const history = await postReleases(app.ctx, busy, rows(first), { silent: true });
        for (const id of history.insertedIds) silent.add(id);
        const paths = [
          `/v1/orgs/${org.slug}/releases`,
          `/v1/orgs/${org.slug}/releases?q=walkable`,
          `/v1/sources/${busy}/releases`,
        ];
        for (const path of paths) {
          const there = new Set((await walk(service, path, 100, async () => {})).map((row) => row.id));
          const seen = await walk(service, path, 7, async () => {
            await postReleases(app.ctx, busy, rows(later));
          });
          const keys = seen.map(key);
          assert.deepEqual(keys, [...keys].sort().reverse(), `${path} is in order`);
          assert.equal(new Set(keys).size, keys.length, `${path} repeats nothing`);
          const ids = new Set(seen.map((row) => row.id));
          for (const id of there) assert.ok(ids.has(id), `${path} leaves nothing out`);
        }
      }),
      { numRuns: 6, examples: [[MANY_TIMES, TIMES.slice(0, 3)]] },
    );
    // The example comes first.
    const path = `/v1/sources/${quiet[0]}/releases`;
    const one = await walk(service, path, 1, async () => {});
    const many = await walk(service, path, 100, async () => {});
    assert.equal(one.length, MANY_TIMES.length);
    assert.deepEqual(one.map(key), many.map(key));
  });

  it('refuses broken cursors and never takes one for a first page', async () => {
    const service = await startService(await engine.openTestApp());
    const encode = (value: unknown) =>
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
    const at = '2026-01-01T00:00:00.000Z';
    const broken = [
      'x',
      '!!!!',
      encode('nonsense'),
      encode('{'),
      encode('null'),
      encode([]),
      encode({}),
      encode({ v: 1 }),
      encode({ v: 2, k: [at, at, 'rel_1'] }),
      encode({ v: 1, k: [] }),
      encode({ v: 1, k: [at, at] }),
      encode({ v: 1, k: [at, at, 'rel_1', 'more'] }),
      encode({ v: 1, k: [1, at, 'rel_1'] }),
      encode({ v: 1, k: [at, null, 'rel_1'] }),
      encode({ v: 1, k: [at, at, null] }),
      encode({ v: 1, k: [at, at, 7] }),
      encode({ v: 1, k: ['yesterday', at, 'rel_1'] }),
      encode({ v: 1, k: [at, at, "'; drop"] }),
      `${encode({ v: 1, k: [at, at, 'rel_1'] })}=`,
      'a'.repeat(513),
    ];

    for (const cursor of broken) {
      const { status, body } = await service.anonymous.get(`/v1/releases/latest?cursor=${encodeURIComponent(cursor)}`);
      assert.deepEqual([status, body.error?.code], [400, 'invalid_cursor'], cursor.slice(0, 60));
    }
  });
});
