// Every way of reading a feed (one range, a range per facet or source, a few rare rows, words first or feed first)
// returns the same rows as a check of every release.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import type { SourceType } from '../../src/contract/enums.ts';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { type MeaningFilter, passesMeaning } from '../../src/domain/meaning/passes-meaning.ts';
import { feedRows } from '../../src/releases/feeds/feed.ts';
import type { Branch, FeedFilter } from '../../src/releases/feeds/feed-query.ts';
import type { FeedKey } from '../../src/releases/feeds/feed-rows.ts';
import { newestFirst } from '../../src/releases/feeds/feed-rows.ts';
import type { ReleaseRow } from '../../src/store/schema/releases.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';

const TYPES = ['github', 'feed', 'scrape', 'video'] as const;
const KINDS = ['sdk', 'docs', undefined] as const;
const VERDICTS = ['unknown', 'none', 'minor', 'major'] as const;
const CATEGORIES = ['ai', 'cloud'] as const;
const ORGS = 16;

// A small deterministic generator.
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

interface Known {
  row: ReleaseRow;
  sourceType: SourceType;
  kind: string | null;
}

forEachEngine('feeds with filters', (engine) => {
  it('give what every release alone would give, in every scope and from every cursor', async () => {
    const { ctx } = await engine.openTestApp();
    const draw = randomNumbers(7);
    const orgs = await fill(ctx, draw);
    await proveSome(ctx);
    const known = await everyRelease(ctx);
    assert.ok(known.length > 300);
    const many = orgs.map((value): Branch => ({ column: 'org_id', value }));
    const scopes: (readonly Branch[])[] = [
      [{ column: null, value: '' }],
      [{ column: 'effective_category', value: 'ai' }],
      many.slice(0, 1),
      many.slice(0, 3),
      many.slice(0, 13),
      many,
    ];
    let found = 0;
    for (let round = 0; round < 90; round += 1) {
      const filter = drawFilter(draw);
      const scope = scopes[round % scopes.length] as readonly Branch[];
      const expected = known
        .filter((one) => passes(one, scope, filter))
        .map(({ row }) => row)
        .sort(newestFirst);
      const limit = [1, 5, 40][draw(3)] as number;
      const start = draw(3) === 0 ? (expected[draw(expected.length + 1)] ?? null) : null;
      const after: FeedKey | null = start && { feedAt: start.feed_at, feedVersion: start.feed_version, id: start.id };
      const rest = start ? expected.slice(expected.indexOf(start) + 1) : expected;
      const rows = await feedRows(ctx, { branches: scope, filter, page: { limit, includeContent: false }, after });
      const reported = JSON.stringify({ filter, scope: scope.length, column: scope[0]?.column, limit, after });
      assert.deepEqual(
        rows.map((row) => row.id),
        rest.slice(0, limit).map((row) => row.id),
        reported,
      );
      found += rows.length;
    }
    assert.ok(found > 300, `only ${found} rows were compared`);
  });

  it('give the same by their words whether the feed is walked or the index of words', async () => {
    const { ctx } = await engine.openTestApp();
    const draw = randomNumbers(11);
    const { id } = await createOrg(ctx, { category: 'ai' });
    for (let batch = 0; batch < 2; batch += 1) {
      const { id: source } = await createSource(ctx, { orgId: id, type: 'feed' });
      await postReleases(ctx, source, drawReleases(draw, { prefix: `${batch}`, count: 250 }), { silent: true });
    }
    const known = await everyRelease(ctx);
    const scopes: (readonly Branch[])[] = [
      [{ column: null, value: '' }],
      [{ column: 'effective_category', value: 'ai' }],
      [{ column: 'org_id', value: id }],
      Array.from({ length: 13 }, (_, index) => ({ column: 'org_id', value: index === 0 ? id : `org_${index}` })),
    ];
    const ways = [ctx, indexOnly(ctx)];
    const words = ['common', '"common"', 'seldom', '"seldom"', 'common seldom', '"common words"', '"nowhere"'];
    let found = 0;
    for (let round = 0; round < 63; round += 1) {
      const rare = round % 3 === 0 ? RARE : {};
      const filter = { ...drawFilter(draw), ...rare, q: words[round % words.length] as string };
      const scope = scopes[draw(scopes.length)] as readonly Branch[];
      const expected = known
        .filter((one) => passes(one, scope, filter))
        .map(({ row }) => row)
        .sort(newestFirst);
      const limit = [5, 40, 101][draw(3)] as number;
      const start = draw(3) === 0 ? (expected[draw(20)] ?? null) : null;
      const after = start && { feedAt: start.feed_at, feedVersion: start.feed_version, id: start.id };
      const rest = start ? expected.slice(expected.indexOf(start) + 1) : expected;
      for (const [index, way] of ways.entries()) {
        const rows = await feedRows(way, { branches: scope, filter, page: { limit, includeContent: false }, after });
        assert.deepEqual(
          rows.map((row) => row.id),
          rest.slice(0, limit).map((row) => row.id),
          JSON.stringify({ filter, column: scope[0]?.column, scope: scope.length, limit, after, index }),
        );
        found += rows.length;
      }
    }
    assert.ok(found > 300, `only ${found} rows were compared`);

    const scope: readonly Branch[] = [{ column: 'org_id', value: id }];
    const filter: FeedFilter = { ...RARE, since: '2026-02-01T00:00:00.000Z', q: '"common"' };
    const rows = await feedRows(unwalkable(ctx), { branches: scope, filter, page: { limit: 40 }, after: null });
    assert.deepEqual(
      rows.map((row) => row.id),
      known
        .filter((one) => passes(one, scope, filter))
        .map(({ row }) => row)
        .sort(newestFirst)
        .map((row) => row.id),
    );
    assert.ok(rows.length > 0, 'a few releases are rare enough and have the word');
  });
});

// A filter that few releases pass.
const RARE: FeedFilter = { type: 'rollup', breaking: ['major'], minImportance: 5 };

// A context whose index is not walked for a few releases.
function unwalkable(ctx: Context): Context {
  const match = () => assert.fail('the index was walked');
  return { ...ctx, ports: { ...ctx.ports, fullText: { ...ctx.ports.fullText, match } } };
}

// A context whose index cannot be queried for single releases, as with a phrase.
function indexOnly(ctx: Context): Context {
  return { ...ctx, ports: { ...ctx.ports, fullText: { ...ctx.ports.fullText, matchAmong: async () => null } } };
}

const MEANINGS: readonly MeaningFilter[] = [
  { minBreaking: 'major' },
  { minBreaking: 'minor', security: true },
  { minImportance: 4 },
  { minBreaking: 'major', minImportance: 5, security: true },
  { security: true },
  {},
];

function drawFilter(draw: (below: number) => number): FeedFilter {
  const filter: FeedFilter = { includePrereleases: draw(2) === 0, includeCoverage: draw(2) === 0 };
  if (draw(3) === 0) filter.type = draw(2) === 0 ? 'feature' : 'rollup';
  if (draw(3) === 0) filter.breaking = [VERDICTS[draw(4)] ?? 'none', VERDICTS[draw(4)] ?? 'none'];
  if (draw(4) === 0) filter.minImportance = 1 + draw(5);
  if (draw(5) === 0) filter.security = true;
  if (draw(4) === 0) filter.meaning = MEANINGS[draw(MEANINGS.length)] as MeaningFilter;
  if (draw(4) === 0) filter.sourceTypes = [TYPES[draw(4)] ?? 'github'];
  if (draw(6) === 0) filter.excludeTypes = [TYPES[draw(4)] ?? 'github'];
  if (draw(5) === 0) filter.kind = draw(2) === 0 ? 'sdk' : 'docs';
  if (draw(5) === 0) filter.since = '2026-02-01T00:00:00.000Z';
  if (draw(5) === 0) filter.until = '2026-03-01T00:00:00.000Z';
  if (draw(3) === 0) filter.q = ['common', 'seldom', 'nowhere'][draw(3)] as string;
  return filter;
}

function passes({ row, sourceType, kind }: Known, scope: readonly Branch[], filter: FeedFilter): boolean {
  const owners = { org_id: row.org_id, effective_category: row.effective_category };
  const inScope = scope.some(({ column, value }) => column === null || owners[column as keyof typeof owners] === value);
  const dated = row.published_at !== null;
  return (
    inScope &&
    (filter.includePrereleases || row.prerelease === 0) &&
    (filter.type === undefined || row.type === filter.type) &&
    (filter.breaking === undefined || filter.breaking.includes(row.breaking)) &&
    (filter.minImportance === undefined || (row.importance ?? 0) >= filter.minImportance) &&
    (!filter.security || row.security === 1) &&
    passesMeaning(filter.meaning ?? {}, { ...row, security: row.security === 1, proven: row.proven === 1 }) &&
    (filter.sourceTypes === undefined || filter.sourceTypes.includes(sourceType)) &&
    (filter.excludeTypes === undefined || !filter.excludeTypes.includes(sourceType)) &&
    (filter.kind === undefined || filter.kind === kind) &&
    (!filter.since || (dated && row.feed_at >= filter.since)) &&
    (!filter.until || (dated && row.feed_at <= filter.until)) &&
    (filter.q === undefined || wordsOf(filter.q).every((word) => (row.content ?? '').includes(word)))
  );
}

function wordsOf(q: string): string[] {
  return q.startsWith('"') ? [q.slice(1, -1)] : q.split(' ');
}

async function fill(ctx: Context, draw: (below: number) => number): Promise<string[]> {
  const ids: string[] = [];
  for (let org = 0; org < ORGS; org += 1) {
    const { id } = await createOrg(ctx, { category: CATEGORIES[org % 2] as string });
    ids.push(id);
    for (let nth = 0; nth < 2; nth += 1) {
      const kind = KINDS[draw(3)];
      const product = nth === 1 && draw(2) === 0 ? await createProduct(ctx, id, { kind: 'docs' }) : null;
      const source = await createSource(ctx, {
        orgId: id,
        type: TYPES[draw(4)] as 'feed',
        ...(kind ? { kind } : {}),
        ...(product ? { productId: product.id } : {}),
      });
      const rows = drawReleases(draw, { prefix: `${org}.${nth}`, count: 12 });
      await postReleases(ctx, source.id, rows, { silent: true });
    }
  }
  return ids;
}

function drawReleases(
  draw: (below: number) => number,
  { prefix, count }: { prefix: string; count: number },
): ReleaseInput[] {
  return Array.from({ length: count }, (_, index) => {
    const version = `${prefix}.${index}${draw(6) === 0 ? '-rc.1' : ''}`;
    const importance = draw(6);
    const { publishedAt, ...row } = releaseRow(version, {
      content: `${draw(3) === 0 ? 'plain' : 'common'} words${draw(20) === 0 ? ' and seldom' : ''}${draw(5) === 0 ? ' CVE-2026-1234' : ''}`,
      type: draw(5) === 0 ? 'rollup' : 'feature',
      breaking: VERDICTS[draw(4)] as 'none',
      ...(importance > 0 ? { importance } : {}),
    });
    const day = String(1 + draw(28)).padStart(2, '0');
    return draw(8) === 0 ? row : { ...row, publishedAt: `2026-0${1 + draw(4)}-${day}T00:00:00.000Z` };
  });
}

// Every seventh release has a proof of a break.
async function proveSome(ctx: Context): Promise<void> {
  await transact(ctx, ({ tx }) =>
    tx.updateTable('releases').set({ proven: 1 }).where(sql<boolean>`seq % 7 = 0`).execute(),
  );
}

async function everyRelease(ctx: Context): Promise<Known[]> {
  const rows = await ctx.store.read.selectFrom('releases').selectAll().execute();
  const sources = await ctx.store.read
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.id', 's.type', 's.kind', 'p.kind as productKind'])
    .execute();
  return rows.flatMap((row) => {
    const source = sources.find(({ id }) => id === row.source_id);
    return source ? [{ row, sourceType: source.type, kind: source.kind ?? source.productKind }] : [];
  });
}
