// A hundred questions about a package with a thousand versions and three hundred compared pairs: every statement finds its
// rows by a key, and their number grows with the versions and the pairs, never with both.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { noteProofs } from '../../src/packages/evidence/note-proof.ts';
import { whatsChanged, whatsChangedBatch } from '../../src/packages/whats-changed/index.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';
import { forEachEngine } from '../support/engines.ts';
import { plan, rowsRead, type SeenStatement, statements, writtenStatements } from '../support/statements.ts';
import { comparePairs, numbered, PAIRS, publishLargePackage, RANGES, VERSIONS } from './large-package.ts';

const NAME = 'big';
const items = RANGES.map(({ from, to }) => {
  return { package: NAME, ecosystem: 'npm' as const, from: numbered(from), to: numbered(to) };
});

const LISTS = /package_versions|evidence_pairs|evidence_orders|package_states/;
// By less than this a table is walked for each row of another one.
const KEYED: Readonly<Record<string, RegExp>> = {
  v: /\((?:ecosystem=\? AND name=\? AND version_sort[=>]\?|ecosystem=\? AND name=\? AND version=\?).*\)/,
  p: /\((?:id=\?|ecosystem=\? AND name=\? AND rules=\?|from_integrity=\? AND to_integrity=\? AND beside=\? AND rules=\?)\)/,
  o: /\(ecosystem=\? AND name=\? AND from_version=\? AND to_version=\?\)/,
  s: /\(ecosystem=\? AND name=\?\)/,
  f: /\(ecosystem=\? AND name=\? AND version=\?\)/,
  t: /\(ecosystem=\? AND name=\? AND version=\?\)/,
};

forEachEngine('questions about a package of a thousand versions', (engine) => {
  let ctx: Context;

  before(async () => {
    ({ ctx } = await engine.openTestApp());
    await publishLargePackage(ctx, NAME);
    await comparePairs(ctx, NAME, PAIRS);
    // The other engine collects no statistics by itself.
    if (engine.name === 'postgres') await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
  });

  it('take few statements, each of which finds its rows by a key', async () => {
    const seen = await statements(ctx, (watched) => whatsChangedBatch(watched, { items }));
    assert.ok(seen.length <= 20, `${seen.length} statements`);
    const rows = seen.reduce((sum, query) => sum + query.rows, 0);
    assert.ok(rows <= 4 * VERSIONS + 4 * PAIRS.length, `${rows} rows`);
    const onLists = seen.filter(({ sql: text }) => LISTS.test(text));
    assert.ok(onLists.length >= 6, `${onLists.length} statements`);
    for (const query of onLists) await assertKeyed(query);
  });

  async function assertKeyed(query: SeenStatement): Promise<void> {
    if (engine.name === 'postgres') {
      const read = await rowsRead(ctx, query);
      // What a batch costs is counted in the index, for twenty ranges at a time.
      const counted = query.sql.includes('SELECT COUNT(*) FROM package_versions') ? 20 * VERSIONS : 0;
      const most = 3 * (items.length * 4 + query.rows + VERSIONS) + counted;
      assert.ok(read <= most, `${read} rows read\n${query.sql}`);
      return;
    }
    for (const line of (await plan(ctx, query)).split('\n')) {
      const [, how, table = ''] = /^(SCAN|SEARCH) (\w+)/.exec(line) ?? [];
      const keyed = KEYED[table];
      // The highest key is the last one of its index.
      const isHighest = query.sql.includes('MAX(v.version_sort)') && table === 'v';
      if (how === undefined || keyed === undefined || isHighest) continue;
      assert.match(line, keyed, `${line}\n${query.sql}`);
    }
  }

  it('proofs are found by looking up each pair and reading the versions once', async () => {
    const name = 'proven';
    await publishLargePackage(ctx, name);
    const { id } = await createSource(ctx, { name, url: `https://acme.example/${name}`, type: 'feed' });
    await putPackage(ctx, { ecosystem: 'npm', name, sourceId: id });
    const steps = PAIRS.filter(([from, to]) => to === from + 1).map(([, to]) => numbered(to));
    const rows = [...steps, numbered(VERSIONS)].map((version) => {
      return { version, content: `Fixed ${version}`, url: `https://acme.example/${name}/${version}` };
    });
    await writeReleases(ctx, { path: { src: id }, rows, silent: true });
    await comparePairs(ctx, name, PAIRS);

    const seen = await writtenStatements(ctx, (watched) => transact(watched, (ctx) => noteProofs(ctx, 'npm', [name])));
    const onLists = seen.filter(({ sql: text }) => LISTS.test(text));
    assert.ok(onLists.length >= 2, `${onLists.length} statements`);
    for (const query of onLists) await assertKeyed(query);
    const read = onLists.reduce((sum, query) => sum + query.rows, 0);
    assert.ok(read <= VERSIONS + PAIRS.length + 10, `${read} rows`);
    const proven = await ctx.store.read
      .selectFrom('releases')
      .select('version')
      .where('source_id', '=', id)
      .where('proven', '=', 1)
      .execute();
    assert.deepEqual(proven.map(({ version }) => version).sort(), steps.sort());
  });

  it('as many pairs as have room are told: the whole range, then what breaks and names the version', async () => {
    const alone = await whatsChanged(ctx, {
      package: NAME,
      ecosystem: 'npm',
      from: numbered(1),
      to: numbered(VERSIONS),
    });
    assert.equal(alone.evidence?.pairs.length, 41);
    assert.deepEqual([alone.evidence?.pairs[0]?.from, alone.evidence?.pairs[0]?.to], ['1.1.0', '1.1000.0']);
    const rest = alone.evidence?.pairs.slice(1) ?? [];
    for (const { from, to } of rest) assert.equal(minorOf(to) - minorOf(from), 1);
    const { items: answers } = await whatsChangedBatch(ctx, { items });
    for (const answer of answers) {
      assert.ok('evidence' in answer && answer.evidence);
      assert.deepEqual([answer.evidence.pairs.length, answer.evidence.counts], [3, { proven: 3, likely: 0 }]);
    }
  });

  it('equal questions cost as much as one', async () => {
    const once = await statements(ctx, (watched) => whatsChangedBatch(watched, { items: items.slice(0, 1) }));
    const often = await statements(ctx, (watched) =>
      whatsChangedBatch(watched, {
        items: items.map(() => ({ ...items[0], package: NAME, from: numbered(1), to: numbered(VERSIONS) })),
      }),
    );
    const rowsOf = (seen: readonly SeenStatement[]) => seen.reduce((sum, { rows }) => sum + rows, 0);
    assert.ok(rowsOf(often) <= 2 * rowsOf(once), `${rowsOf(often)} rows after ${rowsOf(once)}`);
    assert.ok(often.length <= once.length + 2, `${often.length} statements after ${once.length}`);
  });
});

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}
